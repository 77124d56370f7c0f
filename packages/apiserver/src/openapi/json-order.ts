/** JSON objects with Go's key order, so that texts and their hashes equal those of kube-apiserver. */
import { compareBytes, isJsonObject, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** The value if it is a string, else "". */
export const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** Returns an object with its keys sorted by bytes, as Go writes maps. */
export function sortedObject(entries: Iterable<readonly [key: string, value: JsonValue]>): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of [...entries].toSorted(([a], [b]) => compareBytes(a, b))) setOwn(object, key, value);
  return object;
}

/** Sorts every object in a value. */
export function sortedValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedValue);
  return isJsonObject(value) ? sortedObject(Object.entries(value).map(([key, member]) => [key, sortedValue(member)] as const)) : value;
}
