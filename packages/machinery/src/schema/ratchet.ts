/**
 * Ratcheting: on an update, errors in unchanged parts are ignored. This file finds the old value for a new one, and tells whether
 * they are equal.
 *
 * Fields correspond by name, items of map lists by their keys; items of other lists have no counterpart.
 */
import { getOwn } from "../json/own.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import type { CompiledSchema } from "./compiled-schema.ts";

/** Returns the old value of the field; undefined without one. */
export function oldField(old: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(old) ? getOwn(old, name) : undefined;
}

/** Returns a function from a new item to the old item with the same keys; undefined for lists without keys. */
export function oldItems(
  old: JsonValue | undefined,
  { listType, listKeys, schema }: CompiledSchema,
): ((item: JsonValue) => JsonValue | undefined) | undefined {
  if (listType !== "map" || !Array.isArray(old)) return undefined;
  if (schema.type !== "array") return () => undefined;
  const byKey = new Map<string, JsonValue>();
  for (const item of old) {
    const key = itemKey(item, listKeys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = itemKey(item, listKeys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

/** Whether a value is unchanged as far as the schema tells: a field without a schema counts as changed. */
export function isUnchanged(value: JsonValue, old: JsonValue, node: CompiledSchema): boolean {
  if (Array.isArray(value)) {
    if (!Array.isArray(old) || value.length !== old.length) return false;
    const { items } = node;
    const find = oldItems(old, node);
    if (find === undefined) return jsonEqual(value, old);
    return value.every((item) => {
      const before = find(item);
      return before !== undefined && items !== undefined && isUnchanged(item, before, items);
    });
  }
  if (!isJsonObject(value)) return jsonEqual(value, old);
  if (!isJsonObject(old)) return false;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(old).length &&
    names.every((name) => {
      const child = node.properties.get(name) ?? (typeof node.additional === "object" ? node.additional : undefined);
      return child !== undefined && Object.hasOwn(old, name) && isUnchanged(value[name] ?? null, old[name] ?? null, child);
    })
  );
}

function itemKey(item: JsonValue, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item) || keys.length === 0) return undefined;
  const parts: string[] = [];
  for (const key of keys) {
    const part = keyPart(item, key);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts.join("\u0000");
}

function keyPart(item: JsonObject, key: string): string | undefined {
  const value = getOwn(item, key);
  if (value === undefined || value === null || typeof value === "object") return undefined;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
