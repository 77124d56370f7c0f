/** Objects that expressions construct: `Object.spec{replicas: 3}`, `JSONPatch{op: "remove", path: "/a"}`. */
import type { CelType } from "../check/cel-type.ts";
import { equalValues } from "./compare.ts";
import { failure } from "./failure.ts";
import type { CelFailure } from "./failure.ts";
import { isOfType, kindOf } from "./value.ts";
import type { CelObject, CelValue } from "./value.ts";

/** The fields of a constructed object. */
export type StructFields = ReadonlyMap<string, CelValue>;

const goTypes: Readonly<Record<string, string>> = { int: "int64", uint: "uint64", double: "float64", bytes: "[]uint8" };

/** Returns the object; a failure if a value of unknown type turns out to have a wrong one. */
export function structValue(type: CelType, fields: StructFields): CelObject | CelFailure {
  for (const [name, wanted] of type.fields ?? []) {
    const value = fields.get(name);
    if (value !== undefined && !isOfType(value, wanted))
      return failure(`unexpected type ${goTypes[kindOf(value)] ?? kindOf(value)} for ${type.name}Type '${name}' field`);
  }
  return { kind: "object", type, value: fields, size: 1, equals: (other) => isStructFields(other) && equalFields(fields, other) };
}

/** Returns the fields of a constructed object; undefined for other values. */
export function structFieldsOf(value: CelValue): StructFields | undefined {
  const isObject = typeof value === "object" && value !== null && "kind" in value && value.kind === "object";
  return isObject && isStructFields(value.value) ? value.value : undefined;
}

const isStructFields = (value: unknown): value is StructFields => value instanceof Map;

function equalFields(a: StructFields, b: StructFields): boolean {
  return (
    a.size === b.size &&
    [...a].every(([name, value]) => {
      const other = b.get(name);
      return other !== undefined && equalValues(value, other) === true;
    })
  );
}
