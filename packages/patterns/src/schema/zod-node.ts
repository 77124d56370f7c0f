/** Reads the internals of a zod schema: definition, checks and metadata. Uses only what every zod 4 has, including zod/mini. */
/* oxlint-disable eslint/no-underscore-dangle -- zod's internals have this name */
import type { $ZodChecks, $ZodTypes } from "zod/v4/core";
import type { ZodSchema } from "./zod-schema.ts";

/** Returns the definition, discriminated by `type`. */
export function definitionOf(schema: ZodSchema): $ZodTypes["_zod"]["def"] {
  return internalsOf(schema).def;
}

/** One check, discriminated by `check`. */
export type ZodCheck = $ZodChecks["_zod"]["def"] | { readonly check: "custom" };

/** Returns the checks of a schema in order. The short forms (`z.email()`, `z.int()`) are schemas that are their own first check. */
export function checksOf(schema: ZodSchema): readonly ZodCheck[] {
  const definition = definitionOf(schema);
  const own = "check" in definition ? [definition as unknown as ZodCheck] : [];
  return [...own, ...(definition.checks ?? []).map((check) => check._zod.def as ZodCheck)];
}

/** Throws a `TypeError` for a value that is no schema of zod 4. `where` names the field that has it. */
export function checkZod(schema: unknown, where: string): void {
  const { _zod: now, _def: before } =
    typeof schema === "object" && schema !== null ? (schema as { readonly _zod?: unknown; readonly _def?: unknown }) : {};
  if (now !== undefined) return;
  throw new TypeError(
    before === undefined
      ? `${where}: ${schema === undefined ? "it is missing" : "it is not a zod schema"}\n  fix: z.object({ replicas: z.int().min(0).default(1) }), with import { z } from "zod"`
      : `${where}: it is a schema of zod 3, which has no description that a server could check\n  fix: npm install zod@4, or import { z } from "zod/v4" of zod 3.25`,
  );
}

/** Reports whether a missing field is invalid; a default makes it optional. */
export function isRequired(schema: ZodSchema): boolean {
  return internalsOf(schema).optin === undefined;
}

/** Returns the pattern with which zod matches the text, if there is exactly one. */
export function patternOf(schema: ZodSchema): RegExp | undefined {
  return internalsOf(schema).pattern;
}

/** Returns what was set with `.meta()` or `.describe()`. */
export function metaOf(schema: ZodSchema): Readonly<Record<string, unknown>> {
  const { meta } = schema as { readonly meta?: () => Readonly<Record<string, unknown>> | undefined };
  return typeof meta === "function" ? (meta.call(schema) ?? {}) : {};
}

/** The public type of a schema does not list its internals. */
function internalsOf(schema: ZodSchema): $ZodTypes["_zod"] {
  return (schema as unknown as $ZodTypes)._zod;
}
