/**
 * Reads and writes values of any shape by path: Wrangler's package data. For typed objects use property access:
 * `object.spec?.replicas`.
 *
 *     data.getValue(chart, "spec", "values", "0", "name");   data.putValue(chart, "blue", "spec", "colour") → a new chart
 *
 * Never changes its arguments: where Wrangler writes into a map, these functions return a new one.
 */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** Returns the value at a path; array indexes start at 0. Undefined if there is none, and without keys. */
function getValue(from: unknown, ...keys: readonly string[]): JsonValue | undefined {
  if (keys.length === 0) return undefined;
  return keys.reduce<JsonValue | undefined>(step, from as JsonValue | undefined);
}

function step(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\+?\d+$/.test(key) ? (value as readonly JsonValue[])[Number(key)] : undefined;
  return isJsonObject(value) ? getOwn(value, key) : undefined;
}

/**
 * Returns a copy with the value at the path, and creates missing maps. Returns the same object without keys, or if a
 * value on the path is not a map.
 */
function putValue(object: JsonObject, value: JsonValue, ...keys: readonly string[]): JsonObject {
  const [key, ...rest] = keys;
  if (key === undefined) return object;
  if (rest.length === 0) return withOwn(object, key, value);
  const inner = getOwn(object, key) ?? {};
  if (!isJsonObject(inner)) return object;
  const next = putValue(inner, value, ...rest);
  return next === getOwn(object, key) ? object : withOwn(object, key, next);
}

/** Returns a copy without the value at the path; the same object if it does not exist. */
function removeValue(object: JsonObject, ...keys: readonly string[]): JsonObject {
  const [key, ...rest] = keys;
  if (key === undefined || !Object.hasOwn(object, key)) return object;
  if (rest.length === 0) return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  const inner = getOwn(object, key);
  if (!isJsonObject(inner)) return object;
  const next = removeValue(inner, ...rest);
  return next === inner ? object : withOwn(object, key, next);
}

/** Merges nested maps; for all other values the overlay wins. */
function mergeMaps(base: JsonObject, overlay: JsonObject): JsonObject {
  return Object.entries(overlay).reduce((merged, [key, value]) => {
    const before = getOwn(merged, key);
    return withOwn(merged, key, isJsonObject(before) && isJsonObject(value) ? mergeMaps(before, value) : value);
  }, base);
}

/** Same as `mergeMaps`, but concatenates arrays at the top level. */
function mergeMapsConcatSlice(base: JsonObject, overlay: JsonObject): JsonObject {
  const joined = Object.entries(overlay).map(([key, value]): readonly [string, JsonValue] => {
    const before = getOwn(base, key);
    return [
      key,
      Array.isArray(before) && Array.isArray(value) ? [...(before as readonly JsonValue[]), ...(value as readonly JsonValue[])] : value,
    ];
  });
  return mergeMaps(base, Object.fromEntries(joined));
}

/** Supports any key, including `__proto__`. */
function withOwn(object: JsonObject, key: string, value: JsonValue): JsonObject {
  return Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, value]]);
}

/** Returns the value as a string; "" for missing values, maps and arrays. */
function string(from: unknown, ...keys: readonly string[]): string {
  const value = getValue(from, ...keys);
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

/** Returns true for true and "true", ignoring case. */
function bool(from: unknown, ...keys: readonly string[]): boolean {
  return string(from, ...keys).toLowerCase() === "true";
}

/** Returns the map at the path, or an empty one. */
function map(from: unknown, ...keys: readonly string[]): JsonObject {
  const value = getValue(from, ...keys);
  return isJsonObject(value) ? value : {};
}

/** Returns the maps in the array at the path; empty if there is no array. */
function slice(from: unknown, ...keys: readonly string[]): readonly JsonObject[] {
  const value = getValue(from, ...keys);
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}

/** Type of `data`. */
export interface Data {
  readonly getValue: typeof getValue;
  readonly putValue: typeof putValue;
  readonly removeValue: typeof removeValue;
  readonly mergeMaps: typeof mergeMaps;
  readonly mergeMapsConcatSlice: typeof mergeMapsConcatSlice;
  readonly string: typeof string;
  readonly bool: typeof bool;
  readonly map: typeof map;
  readonly slice: typeof slice;
}

/** Wrangler's package data, on plain JSON values. */
export const data: Data = { getValue, putValue, removeValue, mergeMaps, mergeMapsConcatSlice, string, bool, map, slice };
