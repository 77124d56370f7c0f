/**
 * Which old value belongs to a new one, and whether the two are the same: on an update, rules about what has not been touched are not held
 * against the writer.
 *
 * Fields belong together by name, items of lists with keys by their keys; items of other lists belong to nothing.
 */
import { getOwn, isJsonObject, jsonEqual } from "@drover/machinery";
import type { JsonValue, Schema } from "@drover/machinery";

/** A new value and the old one, as far as the schema knows them. */
export interface Pair {
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly schema: Schema;
}

/** The pair at a field; undefined when one of them has none, or the schema does not know it. */
export function pairAt({ value, old, schema }: Pair, name: string): Pair | undefined {
  if (!isJsonObject(value) || !isJsonObject(old)) return undefined;
  const [inner, before] = [getOwn(value, name), getOwn(old, name)];
  const { properties = {}, additionalProperties } = schema;
  const innerSchema = getOwn(properties, name) ?? (typeof additionalProperties === "object" ? additionalProperties : undefined);
  return inner === undefined || before === undefined || innerSchema === undefined
    ? undefined
    : { value: inner, old: before, schema: innerSchema };
}

/** A function from a new item to the old one with its keys; undefined for lists whose items have none. */
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

/** Whether nothing has changed as far as the schema can tell: a field without a schema counts as changed. */
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
