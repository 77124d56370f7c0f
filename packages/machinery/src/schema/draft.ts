/** Copy-on-write changes of a read-only object. */
import type { Allowance } from "../budget/allowance.ts";
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

/**
 * Returns a copy that shares nothing with its source. Each part is paid for before it is copied, with no more bytes than its JSON
 * text has.
 */
export function copyJson(value: JsonValue, allowance?: Allowance): JsonValue {
  if (typeof value === "string") allowance?.spend(value.length + 2);
  else allowance?.spend(1);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item, allowance));
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    allowance?.spend(key.length + 3);
    setOwn(copy, key, copyJson(value[key] ?? null, allowance));
  }
  return copy;
}
