/** All fields of a value that was added or removed whole: unlike in `toFieldSet`, every object and list is in the set itself. */
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { compareBytes } from "../go/byte-text.ts";
import { emptyFieldSet, fieldNode, startNode } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { hasMembers } from "./has-members.ts";
import { itemElement } from "./list-item.ts";
import { formOf } from "./merge-type.ts";
import type { ListType, MapType, MergeType } from "./merge-type.ts";
import { fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** Returns the node of a value below the root. Of list items with the same keys only the keys are in it. Assumes a valid value. */
export function wholeFieldSet(value: JsonValue, type: MergeType): FieldSet {
  if (typeof value !== "object" || value === null) return emptyFieldSet;
  const form = formOf(type, value);
  if (form === "map" && type.map !== undefined) {
    if (!type.map.atomic && isJsonObject(value) && hasMembers(value)) return mapNode(value, type.map);
  } else if (form === "list" && type.list !== undefined) {
    if (!type.list.atomic && Array.isArray(value) && value.length > 0) return listNode(value, type.list);
  }
  return emptyFieldSet;
}

function mapNode(object: JsonObject, map: MapType): FieldSet {
  let node: Record<PathElement, FieldSet> | undefined;
  // In order from the start: the node need not be built a second time.
  for (const name of sorted(Object.keys(object))) {
    const named = map.field(name);
    const type = named?.type ?? map.entries();
    if (type !== undefined) (node ??= startNode(true))[named?.element ?? fieldElement(name)] = wholeFieldSet(object[name] ?? null, type);
  }
  return node ?? emptyFieldSet;
}

function sorted(names: string[]): readonly string[] {
  if (isSorted(names)) return names;
  // The engine's order is nearly always that of the bytes, and much faster.
  names.sort();
  return isSorted(names) ? names : names.toSorted(compareBytes);
}

function isSorted(names: readonly string[]): boolean {
  for (let position = 1; position < names.length; position++)
    if (compareBytes(names[position - 1] ?? "", names[position] ?? "") > 0) return false;
  return true;
}

function listNode(items: readonly JsonValue[], list: ListType): FieldSet {
  const type = list.items();
  let children: Record<PathElement, FieldSet> | undefined;
  for (const item of items) {
    const element = itemElement(list, item);
    if (typeof element !== "string") continue;
    children ??= startNode(true);
    children[element] = children[element] === undefined ? wholeFieldSet(item, type) : emptyFieldSet;
  }
  return fieldNode(true, children) ?? emptyFieldSet;
}
