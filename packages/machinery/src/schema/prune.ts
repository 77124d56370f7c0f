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
import type { CompiledSchema } from "./compiled-schema.ts";
import { withField, withoutField } from "./draft.ts";

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
  let result = object;
  for (const name in object) {
    if (!Object.hasOwn(object, name) || (keepsMeta && isMetaField(name))) continue;
    const property = schema?.properties.get(name);
    if (property === undefined && schema?.additional === undefined) {
      if (unknown === "stay") continue;
      // On the object itself these three are removed silently if the schema does not keep them.
      if (place.path.length > 0 || schema === undefined || !isMetaField(name)) place.pruned.push(printPath([...place.path, name]));
      result = withoutField(object, result, name);
      continue;
    }
    const value = object[name] ?? null;
    if (typeof value !== "object" || value === null) continue;
    const child = property ?? (typeof schema?.additional === "object" ? schema.additional : undefined);
    place.path.push(name);
    const kept = walk(value, child, unknownIn(child), place);
    place.path.pop();
    if (kept !== value) result = withField(object, result, name, kept);
  }
  return result;
}

function isMetaField(name: string): boolean {
  return name === "apiVersion" || name === "kind" || name === "metadata";
}

function printPath(steps: readonly (string | number)[]): FieldPath {
  return steps.reduce<string>((path, step, index) => path + (typeof step === "number" ? `[${step}]` : index === 0 ? step : `.${step}`), "");
}
