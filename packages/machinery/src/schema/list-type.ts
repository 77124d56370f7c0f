/** Lists of type set or map: no item, and no combination of keys, may occur twice. */
import { fieldDuplicate, fieldInvalid, type FieldError } from "../field/field-error.ts";
import { fieldChild, fieldIndex, fieldKey, type FieldPath } from "../field/field-path.ts";
import { printGoJson } from "../json/go-json.ts";
import { getOwn, setOwn } from "../json/own.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { isInt64 } from "../json/go-print.ts";

/** Position of a value, and its previous state. */
export interface ListTypeOptions {
  /**
   * Path of the value in the object.
   * @default "", the object itself
   */
  readonly path?: FieldPath;
  /**
   * The stored value, on updates: existing duplicates are not reported.
   * @default undefined
   */
  readonly old?: JsonValue | undefined;
}

/** Returns duplicates in the lists of type set and map below a value. Ignores a value that is a list itself, as the server does. */
export function validateListTypes(value: JsonValue, schema: CompiledSchema, { path = "", old }: ListTypeOptions = {}): FieldError[] {
  if (!isJsonObject(value)) return [];
  const errors: FieldError[] = [];
  walkFields(value, schema, { path, errors });
  if (errors.length > 0 && isJsonObject(old)) {
    const before: FieldError[] = [];
    walkFields(old, schema, { path, errors: before });
    if (before.length > 0) return [];
  }
  return errors;
}

interface Place {
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

function walk(value: JsonValue, node: CompiledSchema, place: Place): void {
  if (!node.holdsKeyedLists) return;
  if (Array.isArray(value)) walkItems(value, node, place);
  else if (isJsonObject(value)) walkFields(value, node, place);
}

function walkFields(object: JsonObject, { properties, additional }: CompiledSchema, { path, errors }: Place): void {
  if (typeof additional === "object" && additional.holdsKeyedLists) {
    for (const key of Object.keys(object)) walk(object[key] ?? null, additional, { path: fieldKey(path, key), errors });
  }
  for (const [name, property] of properties) {
    if (property.holdsKeyedLists && Object.hasOwn(object, name))
      walk(object[name] ?? null, property, { path: fieldChild(path, name), errors });
  }
}

function walkItems(list: readonly JsonValue[], { listType, listKeys, items }: CompiledSchema, { path, errors }: Place): void {
  if (listType === "set") {
    for (const index of secondAppearances(list.map(identity))) errors.push(fieldDuplicate(fieldIndex(path, index), list[index]));
  } else if (listType === "map") checkMapList(list, listKeys, { path, errors });
  if (items === undefined || !items.holdsKeyedLists) return;
  for (const [index, item] of list.entries()) walk(item, items, { path: fieldIndex(path, index), errors });
}

function checkMapList(list: readonly JsonValue[], keys: readonly string[], { path, errors }: Place): void {
  const odd = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (odd >= 0) {
    errors.push(fieldInvalid(fieldIndex(path, odd), list[odd], "must be an object for an array of list-type map"));
    return;
  }
  const keyValues = list.map((item) => keysOf(item, keys));
  const identities = keyValues.map((value) =>
    Object.keys(value)
      .map((key) => `${JSON.stringify(key)}:${identity(value[key] ?? null)}`)
      .join(),
  );
  for (const index of secondAppearances(identities)) errors.push(fieldDuplicate(fieldIndex(path, index), keyValues[index]));
}

function keysOf(item: JsonValue, keys: readonly string[]): JsonObject {
  const values: JsonObject = {};
  if (!isJsonObject(item)) return values;
  for (const key of keys) {
    const value = getOwn(item, key);
    if (value !== undefined) setOwn(values, key, value);
  }
  return values;
}

/** A text that two values share only when the server considers them equal. */
function identity(value: JsonValue): string {
  if (typeof value === "string") return `"${value}`;
  if (typeof value === "number" || typeof value === "bigint") return isInt64(value) ? String(value) : JSON.stringify(Number(value));
  return printGoJson(value);
}

/** Returns the index of the second occurrence of every repeated text. */
function secondAppearances(texts: readonly string[]): number[] {
  const times = new Map<string, number>();
  return [...texts.keys()].filter((index) => {
    const text = texts[index] ?? "";
    const count = (times.get(text) ?? 0) + 1;
    times.set(text, count);
    return count === 2;
  });
}
