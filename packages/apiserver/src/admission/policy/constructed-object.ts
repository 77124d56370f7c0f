/** Checks the type names of objects that expressions construct: `Object.spec` belongs in the field `spec` of an `Object`. */
import { entriesOf } from "../../cel/value/collections.ts";
import { isFailure } from "../../cel/value/failure.ts";
import { structFieldsOf } from "../../cel/value/struct-value.ts";
import { itemsOf, typeName } from "../../cel/value/value.ts";
import type { CelValue } from "../../cel/value/value.ts";
import { PatchFailure } from "./patch-failure.ts";

/** Throws a `PatchFailure` that names all wrong types. */
export function checkTypeNames(value: CelValue): void {
  if (structFieldsOf(value) === undefined) return;
  const problems = problemsOf(value, typeName(value));
  if (problems.length > 0) throw new PatchFailure(`type mismatch: ${problems.join("\n")}`);
}

function problemsOf(value: CelValue, expected: string): readonly string[] {
  const fields = structFieldsOf(value);
  if (fields !== undefined) {
    const name = typeName(value);
    const own =
      name === expected
        ? []
        : [
            `unexpected type name ${JSON.stringify(name)}, expected ${JSON.stringify(expected)}, which matches field name path from root Object type`,
          ];
    return [...own, ...[...fields].flatMap(([field, inner]) => problemsOf(inner, `${expected}.${field}`))];
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return [];
  const inner = value.kind === "list" ? itemsOf(value) : value.kind === "map" ? entriesOf(value) : [];
  if (isFailure(inner)) return [];
  return inner.flatMap((item) => problemsOf(Array.isArray(item) ? (item[1] as CelValue) : (item as CelValue), expected));
}
