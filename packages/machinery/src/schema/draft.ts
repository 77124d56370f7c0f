/** Copy-on-write changes of a read-only object. */
import { setOwn } from "../json/own.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/** Sets a field in `draft`, which is `original` itself before the first change and a copy afterwards; returns the new draft. */
export function withField(original: JsonObject, draft: JsonObject, name: string, value: JsonValue): JsonObject {
  const own = draft === original ? { ...original } : draft;
  setOwn(own, name, value);
  return own;
}

/** Removes a field the same way. */
export function withoutField(original: JsonObject, draft: JsonObject, name: string): JsonObject {
  const own = draft === original ? { ...original } : draft;
  delete own[name];
  return own;
}

/** Returns a copy that shares nothing with its source. */
export function copyJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key] ?? null));
  return copy;
}
