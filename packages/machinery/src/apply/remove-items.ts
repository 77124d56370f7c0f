/** Removes fields from a value, or keeps only them. */
import { setOwn } from "../json/own.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { fieldPaths, fieldSetFrom, hasPath, isEmptyFieldSet, isMember, unionFieldSets } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { hasMembers } from "./has-members.ts";
import { itemElement } from "./list-item.ts";
import { formOf, memberType } from "./merge-type.ts";
import type { ListType, MapType, MergeType } from "./merge-type.ts";
import { fieldElement, keyNames } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import { toFieldSet } from "./to-field-set.ts";

/** Returns the value without the fields and items of the set. An object or list that loses its last member becomes null. */
export function removeItems(value: JsonValue, set: FieldSet, type: MergeType): JsonValue {
  return walk(value, set, type, false);
}

/** Options of `extractItems`. */
export interface ExtractItemsOptions {
  /**
   * Whether to include the key fields of extracted items.
   * @default false
   */
  readonly keyFields?: boolean;
}

/** Returns only the fields and items of the set. */
export function extractItems(value: JsonValue, set: FieldSet, type: MergeType, { keyFields = false }: ExtractItemsOptions = {}): JsonValue {
  return walk(value, keyFields ? withKeyFields(value, set, type) : set, type, true);
}

function walk(value: JsonValue, set: FieldSet, type: MergeType, extract: boolean): JsonValue {
  const form = formOf(type, value);
  if (form === "scalar") return value;
  if (form === "map") {
    if (type.map === undefined || !isJsonObject(value)) return null;
    if (type.map.atomic || !hasMembers(value)) return extract ? value : null;
    return walkMap(value, set, type.map, extract);
  }
  if (type.list === undefined || !Array.isArray(value)) return null;
  if (type.list.atomic || value.length === 0) return extract ? value : null;
  return walkList(value, set, type.list, extract);
}

function walkMap(object: JsonObject, set: FieldSet, map: MapType, extract: boolean): JsonValue {
  const result: JsonObject = {};
  let empty = true;
  for (const name of Object.keys(object)) {
    const node = set[fieldElement(name)];
    const value = object[name] ?? null;
    const kept = node === undefined ? (extract ? undefined : value) : keptMember(value, set, node, memberType(map, name) ?? {}, extract);
    if (kept === undefined) continue;
    setOwn(result, name, kept);
    empty = false;
  }
  return empty ? null : result;
}

function keptMember(value: JsonValue, set: FieldSet, node: FieldSet, type: MergeType, extract: boolean): JsonValue | undefined {
  if (!isMember(node)) return walk(value, node, type, extract);
  // Below a field that is itself in the set, the server continues with the set of the enclosing object.
  return extract ? walk(value, set, type, extract) : undefined;
}

function walkList(items: readonly JsonValue[], set: FieldSet, list: ListType, extract: boolean): JsonValue {
  const type = list.items();
  const result: JsonValue[] = [];
  for (const item of items) {
    const element = itemElement(list, item);
    const node = typeof element === "string" ? set[element] : undefined;
    if (node === undefined) {
      if (!extract) result.push(item);
    } else if (extract || !isMember(node)) {
      result.push(isEmptyFieldSet(node) ? item : walk(item, node, type, extract));
    }
  }
  return result.length === 0 ? null : result;
}

function withKeyFields(value: JsonValue, set: FieldSet, type: MergeType): FieldSet {
  const present = toFieldSet(value, type);
  const keys: PathElement[][] = [];
  for (const path of fieldPaths(set)) {
    if (!hasPath(present, path)) continue;
    for (const [depth, element] of path.entries())
      for (const name of keyNames(element)) keys.push([...path.slice(0, depth + 1), fieldElement(name)]);
  }
  return unionFieldSets(set, fieldSetFrom(keys));
}
