/** Kinds of JSON values in the words of Go's decoder, for its "cannot unmarshal … into Go value" messages. */
import type { JsonValue } from "../json/json-value.ts";

/** Returns Go's word for a kind of JSON value. */
export function jsonKind(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "object") return "object";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "number";
}
