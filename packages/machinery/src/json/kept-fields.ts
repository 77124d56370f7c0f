/**
 * Keeps declared fields of decoded JSON.
 *
 *     object, FieldTree → keptFields → a new object with only these fields
 *
 * projected-json.ts does the same with bytes.
 */
import type { FieldTree } from "./field-tree.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";
import { setOwn } from "./own.ts";

/**
 * Returns a copy with only the fields of a tree, in the order of the object; parts that are kept whole are shared with it. A path leads
 * through lists. A value that has no fields, where a path wants some, is kept: lists keep their length, and null stays null.
 */
export function keptFields(object: Readonly<JsonObject>, tree: FieldTree): JsonObject {
  const kept: JsonObject = {};
  for (const name of Object.keys(object)) {
    const wanted = tree.get(name);
    const value = object[name];
    if (wanted !== undefined && value !== undefined) setOwn(kept, name, wanted === "whole" ? value : keptOf(value, wanted));
  }
  return kept;
}

function keptOf(value: JsonValue, tree: FieldTree): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map((item) => keptOf(item, tree)) : keptFields(value, tree);
}
