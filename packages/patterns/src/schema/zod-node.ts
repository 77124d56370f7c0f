/**
 * How a zod schema is looked into. Only what every zod 4 has, the small one included: its definition, its checks, and
 * what was said about it
 * with `.meta()`.
 */
/* oxlint-disable eslint/no-underscore-dangle -- zod's inside has no other name */
import type { $ZodChecks, $ZodTypes } from "zod/v4/core";
import type { ZodSchema } from "./zod-schema.ts";

/** The definition, told apart by `type`. */
export function definitionOf(schema: ZodSchema): $ZodTypes["_zod"]["def"] {
  return (schema as unknown as $ZodTypes)._zod.def;
}

/** One check, told apart by `check`. */
export type ZodCheck = $ZodChecks["_zod"]["def"] | { readonly check: "custom" };

/**
 * The checks of a schema in the order they were written. The short forms (`z.email()`, `z.int()`) are schemas that are their own first
 * check.
 */
export function checksOf(schema: ZodSchema): readonly ZodCheck[] {
  const definition = definitionOf(schema);
  const own = "check" in definition ? [definition as unknown as ZodCheck] : [];
  return [...own, ...(definition.checks ?? []).map((check) => check._zod.def as ZodCheck)];
}

/** Whether an object without this field is refused; a default makes up for its absence. */
export function isRequired(schema: ZodSchema): boolean {
  return (schema as unknown as $ZodTypes)._zod.optin === undefined;
}

/** What zod itself matches text with, where that is one pattern. */
export function patternOf(schema: ZodSchema): RegExp | undefined {
  return (schema as unknown as $ZodTypes)._zod.pattern;
}

/** What was said with `.meta()` or `.describe()`. */
export function metaOf(schema: ZodSchema): Readonly<Record<string, unknown>> {
  const { meta } = schema as { readonly meta?: () => Readonly<Record<string, unknown>> | undefined };
  return typeof meta === "function" ? (meta.call(schema) ?? {}) : {};
}
