/**
 * Removes fields that a schema does not specify.
 *
 *     decoded object → prune → the object to store, and the paths of removed fields
 *
 * The type fields and `metadata` of a resource are never touched: object-meta.ts handles them.
 */
import { compareBytes } from "../go/byte-text.ts";
import type { FieldPath } from "../field/field-path.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { setOwn } from "../json/own.ts";
import type { CompiledSchema } from "./compiled-schema.ts";

/** Options of `prune`. */
export interface PruneOptions {
  /**
   * `"object"` for a whole object, whose apiVersion, kind and metadata stay although no schema names them; `"part"` for anything
   * within one.
   * @default "object"
   */
  readonly root?: "object" | "part";
}

/** Result of `prune`. */
export interface Pruned {
  /** The input itself when nothing was removed. */
  readonly value: JsonValue;
  /** Removed fields, in byte order: `spec.unknown`, `spec.list[0].x`. */
  readonly pruned: readonly FieldPath[];
}

/** Removes unknown fields. Where the schema preserves unknown fields they stay, and specified fields are pruned by their own schema. */
export function prune(value: JsonValue, schema: CompiledSchema, { root = "object" }: PruneOptions = {}): Pruned {
  const pruned: FieldPath[] = [];
  const place = { path: [], pruned };
  const isObject = root === "object" && isJsonObject(value);
  const kept = isObject
    ? walkFields(value, schema, { unknown: unknownIn(schema), place, keepsMeta: true })
    : walk(value, schema, unknownIn(schema), place);
  return { value: kept, pruned: pruned.length > 1 ? pruned.toSorted(compareBytes) : pruned };
}

interface Place {
  /** Names and indexes from the root to the current value. */
  readonly path: (string | number)[];
  readonly pruned: FieldPath[];
}

/** Whether unknown fields are removed or preserved; list items inherit "stay", fields do not. */
type Unknown = "go" | "stay";

function walk(value: JsonValue, schema: CompiledSchema | undefined, unknown: Unknown, place: Place): JsonValue {
  if (Array.isArray(value)) return walkItems(value, schema?.items, unknown, place);
  return isJsonObject(value) ? walkFields(value, schema, { unknown, place, keepsMeta: schema?.embedded === true }) : value;
}

const unknownIn = (schema: CompiledSchema | undefined): Unknown => (schema?.preserveUnknown === true ? "stay" : "go");

function walkItems(list: JsonValue[], items: CompiledSchema | undefined, unknown: Unknown, place: Place): JsonValue[] {
  if (unknown === "stay" && items === undefined) return list;
  let result = list;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    if (typeof item !== "object" || item === null) continue;
    place.path.push(index);
    const kept = walk(item, items, unknown === "stay" ? "stay" : unknownIn(items), place);
    place.path.pop();
    if (kept === item) continue;
    if (result === list) result = [...list];
    result[index] = kept;
  }
  return result;
}

function walkFields(
  object: JsonObject,
  schema: CompiledSchema | undefined,
  { unknown, place, keepsMeta }: { readonly unknown: Unknown; readonly place: Place; readonly keepsMeta: boolean },
): JsonObject {
  // Undefined until the first change: a field is then copied once, never deleted from a copy of all.
  let changed: JsonObject | undefined;
  let prefix: string | undefined;
  for (const name in object) {
    if (!Object.hasOwn(object, name)) continue;
    const value = object[name] ?? null;
    const property = schema?.properties.get(name);
    if ((!keepsMeta || !isMetaField(name)) && unknown === "go" && property === undefined && schema?.additional === undefined) {
      // On the object itself these three are removed silently if the schema does not keep them.
      if (place.path.length > 0 || schema === undefined || !isMetaField(name))
        place.pruned.push((prefix ??= printPath(place.path)) === "" ? name : `${prefix}.${name}`);
      changed ??= fieldsBefore(object, name);
      continue;
    }
    const kept = keepsMeta && isMetaField(name) ? value : walkField(name, value, schema, unknown, place);
    if (kept !== value) changed ??= fieldsBefore(object, name);
    if (changed !== undefined) setOwn(changed, name, kept);
  }
  return changed ?? object;
}

/** Prunes the value of a field that stays. */
function walkField(name: string, value: JsonValue, schema: CompiledSchema | undefined, unknown: Unknown, place: Place): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  const property = schema?.properties.get(name);
  if (property === undefined && schema?.additional === undefined && unknown === "stay") return value;
  const child = property ?? (typeof schema?.additional === "object" ? schema.additional : undefined);
  place.path.push(name);
  const kept = walk(value, child, unknownIn(child), place);
  place.path.pop();
  return kept;
}

function fieldsBefore(object: JsonObject, end: string): JsonObject {
  const fields: JsonObject = {};
  for (const name in object) {
    if (name === end) break;
    if (Object.hasOwn(object, name)) setOwn(fields, name, object[name] ?? null);
  }
  return fields;
}

function isMetaField(name: string): boolean {
  return name === "apiVersion" || name === "kind" || name === "metadata";
}

function printPath(steps: readonly (string | number)[]): FieldPath {
  return steps.reduce<string>((path, step, index) => path + (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`), "");
}
