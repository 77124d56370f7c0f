/** JSON objects whose keys stand where Go would put them, so that texts and their hashes are those of the server. */
import { compareBytes, isJsonObject, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** The value if it is a text, else "". */
export const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** A map: keys in the order of their bytes. */
export function sortedObject(entries: Iterable<readonly [key: string, value: JsonValue]>): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of [...entries].toSorted(([a], [b]) => compareBytes(a, b))) setOwn(object, key, value);
  return object;
}

/** A value of any form, with every map in it sorted. */
export function sortedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedValue);
  return isJsonObject(value) ? sortedObject(Object.entries(value).map(([key, member]) => [key, sortedValue(member)] as const)) : value;
}
