/** The fields that a value sets: what an applied configuration owns. */
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { emptyFieldSet, fieldNode } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { hasMembers } from "./has-members.ts";
import { itemElement } from "./list-item.ts";
import { formOf } from "./merge-type.ts";
import type { ListType, MapType, MergeType } from "./merge-type.ts";
import { fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/**
 * Returns every scalar, every atomic list and object, every item of other lists, and every field no schema names. Named fields are
 * not in the set when something below them is. Assumes a valid value.
 */
export function toFieldSet(value: JsonValue, type: MergeType): FieldSet {
  return nodeOf(value, type, false) ?? emptyFieldSet;
}

/** Fields that a value sets, including itself if it is a member anyway. */
function nodeOf(value: JsonValue, type: MergeType, member: boolean): FieldSet | undefined {
  const form = formOf(type, value);
  if (form === "scalar") return emptyFieldSet;
  if (form === "map" && type.map !== undefined) {
    if (type.map.atomic) return emptyFieldSet;
    if (isJsonObject(value)) return mapNode(value, type.map, member);
  } else if (type.list !== undefined) {
    if (type.list.atomic) return emptyFieldSet;
    if (Array.isArray(value)) return listNode(value, type.list, member);
  }
  return member ? emptyFieldSet : undefined;
}

function mapNode(object: JsonObject, map: MapType, member: boolean): FieldSet | undefined {
  const children: Record<PathElement, FieldSet> = {};
  for (const name in object) {
    const value = object[name] ?? null;
    const named = map.field(name);
    const type = named?.type ?? map.entries();
    if (type === undefined) continue;
    const node = nodeOf(value, type, named === undefined || value === null || (isJsonObject(value) && !hasMembers(value)));
    if (node !== undefined) children[named?.element ?? fieldElement(name)] = node;
  }
  return fieldNode(member, children);
}

function listNode(items: readonly JsonValue[], list: ListType, member: boolean): FieldSet | undefined {
  const type = list.items();
  const children: Record<PathElement, FieldSet> = {};
  for (const item of items) {
    const element = itemElement(list, item);
    if (typeof element !== "string") continue;
    // Of items with the same keys only the keys are owned.
    children[element] = children[element] === undefined ? (nodeOf(item, type, true) ?? emptyFieldSet) : emptyFieldSet;
  }
  return fieldNode(member, children);
}
