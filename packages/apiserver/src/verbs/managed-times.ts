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
  if (!jsonEqual(entries.map(withoutTime), oldEntries.map(withoutTime))) return object;
  const withTimes: JsonObject = { ...object, metadata: { ...(object["metadata"] as JsonObject), managedFields: oldEntries } };
  return isSameBesideVersion(withTimes, old) ? withTimes : object;
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
  return jsonEqual(withoutVersion(a), withoutVersion(b));
}

function withoutVersion({ metadata, ...rest }: JsonObject): JsonObject {
  const { resourceVersion: _version, ...meta } = isJsonObject(metadata) ? metadata : {};
  return { ...rest, metadata: meta };
}
