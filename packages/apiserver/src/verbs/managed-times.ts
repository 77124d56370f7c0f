/** Ignores writes that change nothing but the timestamps of managed fields. */
import { isJsonObject, jsonEqual } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/**
 * Returns the old object when the two differ only in the timestamps of managed fields (and in resourceVersion), otherwise the new
 * one.
 */
export function withOldTimes(object: JsonObject, old: JsonObject): JsonObject {
  const entries = managedFieldsOf(object);
  const oldEntries = managedFieldsOf(old);
  if (!Array.isArray(entries) || !Array.isArray(oldEntries) || entries.length !== oldEntries.length) return object;
  // Managed fields last: they are large, and change less often than what they describe.
  const isSame =
    isSameBeside(object, old, ["resourceVersion", "managedFields"]) && jsonEqual(entries.map(withoutTime), oldEntries.map(withoutTime));
  if (!isSame) return object;
  return { ...object, metadata: { ...(object["metadata"] as JsonObject), managedFields: oldEntries } };
}

function managedFieldsOf(object: JsonObject): JsonValue | undefined {
  const { metadata } = object;
  return isJsonObject(metadata) ? metadata["managedFields"] : undefined;
}

function withoutTime(entry: JsonValue): JsonValue {
  if (!isJsonObject(entry)) return entry;
  const { time: _time, ...rest } = entry;
  return rest;
}

/** Whether two objects differ only in resourceVersion. The order of keys does not matter. */
export function isSameBesideVersion(a: JsonObject, b: JsonObject): boolean {
  return isSameBeside(a, b, ["resourceVersion"]);
}

/**
 * Whether two objects differ only in these fields of their metadata. Compares metadata first and the status before the spec: most
 * writes change one of them, and the spec is the largest.
 */
function isSameBeside(a: JsonObject, b: JsonObject, ignored: readonly string[]): boolean {
  return hasSameMembers(metadataOf(a), metadataOf(b), ignored) && hasSameMembers(a, b, ["metadata"]);
}

const metadataOf = ({ metadata }: JsonObject): JsonObject => (isJsonObject(metadata) ? metadata : {});

/** Compares the last members first. */
function hasSameMembers(a: JsonObject, b: JsonObject, ignored: readonly string[]): boolean {
  const keysOf = (object: JsonObject): string[] => Object.keys(object).filter((key) => !ignored.includes(key));
  const keys = keysOf(a);
  return keys.length === keysOf(b).length && keys.toReversed().every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]));
}
