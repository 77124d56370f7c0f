/**
 * Keeps fields that a schema does not describe: a program that is older than the definition must not remove what users wrote into
 * newer fields.
 */
import { getOwn, isJsonObject, jsonEqual } from "@drover/machinery";
import type { JsonObject, JsonValue, Schema } from "@drover/machinery";

/** Returns `after` with the fields of `before` that the schema does not describe and `after` lost. */
export function keepUnknownFields(before: JsonObject, after: JsonObject, schema: Schema): JsonObject {
  return keptObject(before, after, schema);
}

function kept(before: JsonValue | undefined, after: JsonValue, schema: Schema | undefined): JsonValue {
  if (schema === undefined) return after;
  if (isJsonObject(before) && isJsonObject(after)) return keptObject(before, after, schema);
  if (Array.isArray(before) && Array.isArray(after)) return keptItems(before, after, schema);
  return after;
}

function keptObject(before: JsonObject, after: JsonObject, schema: Schema): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(after)) define(result, key, kept(getOwn(before, key), value, schemaOf(schema, key)));
  for (const [key, value] of Object.entries(before)) if (!Object.hasOwn(after, key) && isUnknown(schema, key)) define(result, key, value);
  return result;
}

/** Items of maps are paired by their keys, other items by position if no item came or went. */
function keptItems(before: readonly JsonValue[], after: readonly JsonValue[], schema: Schema): JsonValue {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const partner = (item: JsonValue, index: number): JsonValue | undefined => {
    if (keys.length > 0 && isJsonObject(item)) return before.find((other) => isJsonObject(other) && hasSameKeys(item, other, keys));
    return before.length === after.length ? before[index] : undefined;
  };
  return after.map((item, index) => kept(partner(item, index), item, schema.items));
}

const hasSameKeys = (item: JsonObject, other: JsonObject, keys: readonly string[]): boolean =>
  keys.every((key) => jsonEqual(getOwn(item, key) ?? null, getOwn(other, key) ?? null));

/** An object without any description is free-form: `metadata`, and objects with unknown fields preserved. */
function isUnknown({ properties, additionalProperties, ...schema }: Schema, key: string): boolean {
  if (properties === undefined || schema["x-kubernetes-preserve-unknown-fields"] === true) return false;
  return !Object.hasOwn(properties, key) && (additionalProperties === undefined || additionalProperties === false);
}

function schemaOf({ properties, additionalProperties }: Schema, key: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

/** Also for a key such as "__proto__". */
function define(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
