/**
 * Values of any shape by the path to them: Wrangler's package data. For what has a type, that is the better way: `object.spec?.replicas`.
 *
 *     data.getValue(chart, "spec", "values", "0", "name");   data.putValue(chart, "blue", "spec", "colour") → another chart
 *
 * Nothing that is handed in is changed: where Wrangler writes into a map, the new one is given back.
 */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** The value at a path; keys of arrays are numbers from zero. Undefined where there is none, and without any key. */
function getValue(from: unknown, ...keys: readonly string[]): JsonValue | undefined {
  if (keys.length === 0) return undefined;
  return keys.reduce<JsonValue | undefined>(step, from as JsonValue | undefined);
}

function step(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\+?\d+$/.test(key) ? (value as readonly JsonValue[])[Number(key)] : undefined;
  return isJsonObject(value) ? getOwn(value, key) : undefined;
}

/**
 * With the value at the path, whose maps are made where they are missing. The same object when something that is no map
 * stands in the way, and without any key.
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

/** Without the value at the path. The same object when it is not there. */
function removeValue(object: JsonObject, ...keys: readonly string[]): JsonObject {
  const [key, ...rest] = keys;
  if (key === undefined || !Object.hasOwn(object, key)) return object;
  if (rest.length === 0) return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
  const inner = getOwn(object, key);
  if (!isJsonObject(inner)) return object;
  const next = removeValue(inner, ...rest);
  return next === inner ? object : withOwn(object, key, next);
}

/** Maps within maps are merged; of everything else the overlay's counts. */
function mergeMaps(base: JsonObject, overlay: JsonObject): JsonObject {
  return Object.entries(overlay).reduce((merged, [key, value]) => {
    const before = getOwn(merged, key);
    return withOwn(merged, key, isJsonObject(before) && isJsonObject(value) ? mergeMaps(before, value) : value);
  }, base);
}

/** As `mergeMaps`, and two arrays of the same name at the top are put together. */
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

/** Any key, `__proto__` too. */
function withOwn(object: JsonObject, key: string, value: JsonValue): JsonObject {
  return Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, value]]);
}

/** As text: "" for what is not there, and for maps and arrays. */
function string(from: unknown, ...keys: readonly string[]): string {
  const value = getValue(from, ...keys);
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

/** True for true, and for "true" in any case. */
function bool(from: unknown, ...keys: readonly string[]): boolean {
  return string(from, ...keys).toLowerCase() === "true";
}

/** The map there, or an empty one. */
function map(from: unknown, ...keys: readonly string[]): JsonObject {
  const value = getValue(from, ...keys);
  return isJsonObject(value) ? value : {};
}

/** The maps of the array there; none when there is no array. */
function slice(from: unknown, ...keys: readonly string[]): readonly JsonObject[] {
  const value = getValue(from, ...keys);
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}

/** Wrangler's package of this name, in plain values. */
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

/** Wrangler's package of this name, in plain values. */
export const data: Data = { getValue, putValue, removeValue, mergeMaps, mergeMapsConcatSlice, string, bool, map, slice };
