/** Writes values of types with their own marshaller as Go does. `read-own.ts` reads them from text. */
import { canonicalMicroTime, canonicalTime, isJsonObject, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { OwnShape, StructShape } from "@drover/api/shapes";
import { canonicalQuantity } from "./bounded-quantity.ts";
import type { Tally } from "./tally.ts";

/** Writes a struct inside such a value. */
export type WriteStruct = (value: JsonObject, shape: StructShape, tally: Tally) => JsonObject;

/** Writes a value other than null. Marks the tally as surprised for a value that Go would refuse. */
export function writeOwn(value: JsonValue, { name, schema }: OwnShape, tally: Tally, writeStruct: WriteStruct): JsonValue {
  switch (name) {
    case "Quantity":
      return writeQuantity(value, tally);
    case "Time":
      return canonical(value, tally, canonicalTime);
    case "MicroTime":
      return canonical(value, tally, canonicalMicroTime);
    case "IntOrString":
      return typeof value === "string" || (typeof value === "number" && (value | 0) === value) ? value : surprise(tally);
    case "JSONSchemaPropsOrBool":
      return typeof value === "boolean" ? value : (writeSchema(value, schema, tally, writeStruct) ?? surprise(tally));
    case "JSONSchemaPropsOrArray":
      return writeSchemas(value, schema, tally, writeStruct);
    case "JSONSchemaPropsOrStringArray":
      return writeStrings(value, tally) ?? writeSchema(value, schema, tally, writeStruct) ?? null;
    // Most of an object's text is FieldsV1, and the store needs no copy of its own.
    case "FieldsV1":
      return tally.isStoring ? value : copyJson(value, tally);
    case "RawExtension":
    case "JSON":
    default:
      return copyJson(value, tally);
  }
}

/** A bare number counts as a surprise, because its digits in the text matter. */
function writeQuantity(value: JsonValue, tally: Tally): JsonValue {
  tally.quantities = true;
  return canonical(value, tally, canonicalQuantity);
}

function canonical(value: JsonValue, tally: Tally, write: (text: string) => string | null): JsonValue {
  if (typeof value !== "string") return surprise(tally);
  try {
    return write(value);
  } catch {
    return surprise(tally);
  }
}

function writeSchema(value: JsonValue, schema: StructShape | undefined, tally: Tally, writeStruct: WriteStruct): JsonObject | undefined {
  return isJsonObject(value) && schema !== undefined ? writeStruct(value, schema, tally) : undefined;
}

/** Writes a schema or a list of schemas; an empty list or anything else becomes null. */
function writeSchemas(value: JsonValue, schema: StructShape | undefined, tally: Tally, writeStruct: WriteStruct): JsonValue {
  if (!Array.isArray(value)) return writeSchema(value, schema, tally, writeStruct) ?? null;
  if (value.length === 0) return null;
  return value.map((item) => writeSchema(item ?? {}, schema, tally, writeStruct) ?? surprise(tally));
}

function writeStrings(value: JsonValue, tally: Tally): JsonValue[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.map((item) => (item === null ? "" : typeof item === "string" ? item : surprise(tally)));
}

function copyJson(value: JsonValue, tally: Tally): JsonValue {
  // An infinite number cannot be written again.
  if (typeof value === "number" && !Number.isFinite(value)) return surprise(tally);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item, tally));
  const copy: JsonObject = {};
  for (const key in value) {
    tally.keys++;
    setOwn(copy, key, copyJson(value[key] ?? null, tally));
  }
  return copy;
}

function surprise(tally: Tally): null {
  tally.surprised = true;
  return null;
}
