/**
 * Sets the defaults of a schema, and drops nulls that are not allowed.
 *
 *     decoded object → dropNulls → applyDefaults → validate
 *
 * Neither changes its input; both return it when there is nothing to do, and results share what did not change.
 */
import type { Allowance } from "../budget/allowance.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { copyJson, withField, withoutField } from "./draft.ts";

/**
 * Sets the default of every missing field, and of every null that is not `nullable`. Descends into present values and into
 * defaults, so a missing object gets its inner defaults only if it has a default itself.
 *
 * Defaults are copied: changing a result does not change the schema. So a list of empty objects can grow by any factor; an
 * allowance of bytes of JSON text bounds the copies, and a `BudgetExceededError` is thrown before one exceeds it.
 */
export function applyDefaults(value: JsonValue, schema: CompiledSchema, allowance?: Allowance): JsonValue {
  if (Array.isArray(value)) return schema.items === undefined ? value : defaultItems(value, schema.items, allowance);
  return isJsonObject(value) ? defaultFields(value, schema, allowance) : value;
}

function defaultFields(object: JsonObject, schema: CompiledSchema, allowance: Allowance | undefined): JsonObject {
  const { properties, additional } = schema;
  let result = object;
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    const child = properties.get(name) ?? (typeof additional === "object" ? additional : undefined);
    if (child === undefined) continue;
    const value = object[name] ?? null;
    if (value !== null && typeof value !== "object") continue;
    const filled = defaultOne(value, child, allowance);
    if (filled !== value) result = withField(object, result, name, filled);
  }
  for (const [name, property] of schema.defaults) {
    if (Object.hasOwn(object, name)) continue;
    allowance?.spend(name.length + 3);
    result = withField(object, result, name, freshDefault(property.default ?? null, property, allowance));
  }
  return result;
}

function defaultItems(list: JsonValue[], items: CompiledSchema, allowance: Allowance | undefined): JsonValue[] {
  let result = list;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    const filled = defaultOne(item, items, allowance);
    if (filled === item) continue;
    if (result === list) result = [...list];
    result[index] = filled;
  }
  return result;
}

function defaultOne(value: JsonValue, schema: CompiledSchema, allowance: Allowance | undefined): JsonValue {
  return value === null && !schema.nullable && schema.default !== undefined
    ? freshDefault(schema.default, schema, allowance)
    : applyDefaults(value, schema, allowance);
}

function freshDefault(value: JsonValue, schema: CompiledSchema, allowance: Allowance | undefined): JsonValue {
  return applyDefaults(copyJson(value, allowance), schema, allowance);
}

/** Removes fields that are null although their schema neither allows null nor has a default. List items stay. */
export function dropNulls(value: JsonValue, schema: CompiledSchema): JsonValue {
  if (Array.isArray(value)) return schema.items === undefined ? value : dropInItems(value, schema.items);
  return isJsonObject(value) ? dropInFields(value, schema) : value;
}

function dropInItems(list: JsonValue[], items: CompiledSchema): JsonValue[] {
  let result = list;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    const kept = dropNulls(item, items);
    if (kept === item) continue;
    if (result === list) result = [...list];
    result[index] = kept;
  }
  return result;
}

function dropInFields(object: JsonObject, { properties, additional }: CompiledSchema): JsonObject {
  let result = object;
  for (const name in object) {
    const value = object[name] ?? null;
    if ((value !== null && typeof value !== "object") || !Object.hasOwn(object, name)) continue;
    const child = properties.get(name) ?? (typeof additional === "object" ? additional : undefined);
    if (child === undefined) continue;
    if (value === null && !child.nullable && child.default === undefined) {
      result = withoutField(object, result, name);
      continue;
    }
    const kept = dropNulls(value, child);
    if (kept !== value) result = withField(object, result, name, kept);
  }
  return result;
}
