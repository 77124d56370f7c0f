/** Checks that a value is a kind. */
import { MistakeError } from "./mistake-error.ts";

/**
 * Throws a `MistakeError` for a value that is no kind: JavaScript finds a wrong import only when the value is used. `example` is what a
 * correct call looks like.
 */
export function checkKind(where: string, kind: unknown, example: string): void {
  if (isKind(kind)) return;
  throw new MistakeError({
    where,
    what:
      kind === undefined
        ? "the kind is undefined, as after an import of a name that the module does not export"
        : `${describe(kind)} is not a kind`,
    code: "DRV0202",
    fix: `${example}\nkinds are values: import { Deployment } from "drover/kinds", without "type", or defineResource({ … }) for your own`,
  });
}

function isKind(value: unknown): boolean {
  const { group, version, kind, plural } = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  return [group, version, kind, plural].every((part) => typeof part === "string");
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  return typeof value === "object" ? "this object" : `a ${typeof value}`;
}
