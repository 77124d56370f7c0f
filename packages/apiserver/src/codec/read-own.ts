/** Reads values of types with their own unmarshaller from text. `own-values.ts` writes them. */
import { JsonError, canonicalMicroTime, canonicalTime, decodeJson } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { boundedQuantity } from "./bounded-quantity.ts";
import { JsonCursor } from "./json-cursor.ts";
import type { JsonWord } from "./json-cursor.ts";
import type { OwnShape, Shape } from "@drover/api/shapes";
import { UnmarshalError } from "./unmarshal-error.ts";

/** Reads a text into a type, ignoring unknown fields. */
export type ReadInner = (raw: string, shape: Shape) => JsonValue | undefined;

/**
 * Returns the value; undefined for the zero value. `raw` is its text, `old` the value of an earlier member with the same name.
 * Throws an `UnmarshalError`.
 */
export function readOwn(raw: string, shape: OwnShape, old: JsonValue | undefined, readInner: ReadInner): JsonValue | undefined {
  const word = new JsonCursor(raw).peek();
  switch (shape.name) {
    case "Quantity":
      return word === "null" ? undefined : readText(() => boundedQuantity(word === "string" ? raw.slice(1, -1) : raw).toString());
    case "Time":
      return word === "null" ? undefined : (readText(() => canonicalTime(stringOf(raw, word))) ?? undefined);
    case "MicroTime":
      return word === "null" ? undefined : (readText(() => canonicalMicroTime(stringOf(raw, word))) ?? undefined);
    case "IntOrString":
      return readIntOrString(raw, word, old);
    case "JSONSchemaPropsOrBool":
      return readSchemaOrBool(raw, word, shape, readInner);
    case "JSONSchemaPropsOrArray":
      return readSchemaOr(raw, word, shape, readInner, schemaList(shape));
    case "JSONSchemaPropsOrStringArray":
      return readSchemaOr(raw, word, shape, readInner, stringList);
    case "RawExtension":
    case "FieldsV1":
    case "JSON":
    default:
      return word === "null" ? old : readRaw(raw);
  }
}

const stringList: Shape = { kind: "list", goType: "[]string", item: { kind: "string", goType: "string" } };

function schemaList({ schema }: OwnShape): Shape | undefined {
  return schema === undefined ? undefined : { kind: "list", goType: `[]${schema.goType}`, item: schema };
}

function readText<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof UnmarshalError ? error : UnmarshalError.plain((error as Error).message);
  }
}

/** Go keeps such a value as text; a number beyond the range of a double cannot be kept here and is reported like any other error. */
function readRaw(raw: string): JsonValue {
  try {
    return decodeJson(raw, { onDuplicateField: () => undefined });
  } catch (error) {
    throw error instanceof JsonError ? UnmarshalError.plain(error.detail) : error;
  }
}

function stringOf(raw: string, word: JsonWord): string {
  if (word !== "string") throw UnmarshalError.mismatch(word, "string");
  return new JsonCursor(raw).string();
}

function readIntOrString(raw: string, word: JsonWord, old: JsonValue | undefined): JsonValue {
  if (word === "string") return stringOf(raw, word);
  if (word === "null") return typeof old === "number" ? old : 0;
  if (word !== "number") throw UnmarshalError.mismatch(word, "int32");
  const value = /^-?\d+$/.test(raw) ? Number(raw) : NaN;
  if ((value | 0) !== value) throw UnmarshalError.mismatch(`number ${raw}`, "int32");
  return value | 0;
}

function readSchemaOrBool(raw: string, word: JsonWord, { schema }: OwnShape, readInner: ReadInner): JsonValue | undefined {
  if (word === "bool") return raw === "true";
  if (word === "object" && schema !== undefined) return readInner(raw, schema) ?? {};
  throw UnmarshalError.plain("boolean or JSON schema expected");
}

/** Anything but an object or a list is ignored without an error. */
function readSchemaOr(
  raw: string,
  word: JsonWord,
  { schema }: OwnShape,
  readInner: ReadInner,
  list: Shape | undefined,
): JsonValue | undefined {
  if (word === "object" && schema !== undefined) return readInner(raw, schema) ?? {};
  return word === "array" && list !== undefined ? readInner(raw, list) : undefined;
}
