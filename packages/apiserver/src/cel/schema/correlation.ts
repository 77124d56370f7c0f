/**
 * Correlates new values with old ones: on an update, failed rules about unchanged values are tolerated (ratcheting).
 *
 * Fields correlate by name, items of map lists by their keys; items of other lists do not correlate.
 */
import { getOwn, isJsonObject, jsonEqual } from "@drover/machinery";
import type { JsonValue, Schema } from "@drover/machinery";

/** A new value, its old value and their schema. */
export interface Pair {
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly schema: Schema;
}

/** Returns the pair at a field; undefined if either lacks it or the schema does not know it. */
export function pairAt({ value, old, schema }: Pair, name: string): Pair | undefined {
  if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
  const [inner, before] = [getOwn(value, name), getOwn(old, name)];
  const { properties = {}, additionalProperties } = schema;
  const innerSchema = getOwn(properties, name) ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
  return inner === undefined || before === undefined || innerSchema === undefined
    ? undefined
    : { value: inner, old: before, schema: innerSchema };
}

/** Returns a lookup of old items by the keys of a new one; undefined for lists that are not map lists. */
export function oldItems(old: JsonValue | undefined, schema: Schema): ((item: JsonValue) => JsonValue | undefined) | undefined {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  if (schema["x-kubernetes-list-type"] !== "map" || keys.length === 0 || !Array.isArray(old)) return undefined;
  const byKey = new Map<string, JsonValue>();
  for (const item of old as readonly JsonValue[]) {
    const key = keyOf(item, keys);
    if (key !== undefined && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = keyOf(item, keys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

function keyOf(item: JsonValue, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const parts: string[] = [];
  for (const key of keys) {
    const value = getOwn(item, key);
    if (value === undefined || value === null || typeof value === "object") return undefined;
    parts.push(typeof value === "string" ? JSON.stringify(value) : String(value));
  }
  return parts.join("\u0000");
}

/** Whether the value did not change, as far as the schema can tell: a field without a schema counts as changed. */
export function isUnchanged(pair: Pair): boolean {
  const { value, old, schema } = pair;
  if (value === null || old === null) return value === old;
  if (Array.isArray(value)) {
    if (!Array.isArray(old) || value.length !== old.length) return false;
    const find = oldItems(old, schema);
    if (find === undefined) return jsonEqual(value, old);
    return (value as readonly JsonValue[]).every((item) => {
      const before = find(item);
      return before !== undefined && schema.items !== undefined && isUnchanged({ value: item, old: before, schema: schema.items });
    });
  }
  if (!isJsonObject(value)) return jsonEqual(value, old);
  if (!isJsonObject(old)) return false;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(old).length &&
    names.every((name) => {
      const inner = pairAt(pair, name);
      return inner !== undefined && isUnchanged(inner);
    })
  );
}
