/** Which fields differ between two values of one type. */
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { jsonEqual } from "../json/json-equal.ts";
import { emptyFieldSet, fieldNode, unionFieldSets, unionNodes } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { hasMembers } from "./has-members.ts";
import { distinctElements, itemElement } from "./list-item.ts";
import { formOf } from "./merge-type.ts";
import type { ListType, MapType, MergeForm, MergeType } from "./merge-type.ts";
import { fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import { wholeFieldSet } from "./whole-field-set.ts";

/** The differing fields. None is in more than one set, except items that start or stop sharing their keys with others. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** The difference at a node and below it; undefined without one. */
interface Difference {
  readonly added: FieldSet | undefined;
  readonly modified: FieldSet | undefined;
  readonly removed: FieldSet | undefined;
}

const addedLeaf: Difference = { added: emptyFieldSet, modified: undefined, removed: undefined };
const modifiedLeaf: Difference = { added: undefined, modified: emptyFieldSet, removed: undefined };
const removedLeaf: Difference = { added: undefined, modified: undefined, removed: emptyFieldSet };

/**
 * Compares two values of one type. Objects and lists that are added or removed whole are in the sets with everything below them.
 * Assumes valid values; items of live lists may have the same keys, and are then compared as one.
 */
export function compareTyped(before: JsonValue, after: JsonValue, type: MergeType): Comparison {
  const difference = before === after ? undefined : compareNodes(before, after, type);
  return {
    added: difference?.added ?? emptyFieldSet,
    modified: difference?.modified ?? emptyFieldSet,
    removed: difference?.removed ?? emptyFieldSet,
  };
}

/** Keeps only what a filter passes. */
export function filterComparison({ added, modified, removed }: Comparison, filter: (set: FieldSet) => FieldSet): Comparison {
  return { added: filter(added), modified: filter(modified), removed: filter(removed) };
}

/** Fields that were set, new or changed. */
export const changedFields = ({ added, modified }: Comparison): FieldSet => unionFieldSets(modified, added);

function compareNodes(before: JsonValue | undefined, after: JsonValue | undefined, type: MergeType): Difference | undefined {
  if (before === after) return undefined;
  if (before === undefined) return { added: wholeFieldSet(after ?? null, type), modified: undefined, removed: undefined };
  if (after === undefined) return { added: undefined, modified: undefined, removed: wholeFieldSet(before, type) };
  const left = formOf(type, before);
  const right = formOf(type, after);
  if (left === right) return compareForm(before, after, type, right);
  // Free-form values may change their form; the server then compares both in each of the two.
  const first = compareForm(before, after, type, left);
  const second = compareForm(before, after, type, right);
  return first === undefined || second === undefined ? (first ?? second) : joinDifferences(first, second);
}

function compareForm(before: JsonValue, after: JsonValue, type: MergeType, form: MergeForm): Difference | undefined {
  if (form === "map" && type.map !== undefined) {
    const left = isJsonObject(before) ? before : {};
    const right = isJsonObject(after) ? after : {};
    if (!type.map.atomic && (hasMembers(left) || hasMembers(right))) return compareMaps(left, right, type.map);
  } else if (form === "list" && type.list !== undefined) {
    const left = Array.isArray(before) ? before : [];
    const right = Array.isArray(after) ? after : [];
    if (!type.list.atomic && left.length + right.length > 0) return compareLists(left, right, type.list);
  }
  return jsonEqual(before, after) ? undefined : modifiedLeaf;
}

function compareMaps(before: JsonObject, after: JsonObject, map: MapType): Difference | undefined {
  const children = new Children();
  for (const name in before) {
    const left = before[name];
    const right = Object.hasOwn(after, name) ? after[name] : undefined;
    if (left !== right) compareMembers(name, left, right, map, children);
  }
  for (const name in after) if (!Object.hasOwn(before, name)) compareMembers(name, undefined, after[name], map, children);
  return children.difference();
}

function compareMembers(name: string, before: JsonValue | undefined, after: JsonValue | undefined, map: MapType, children: Children): void {
  const named = map.field(name);
  const type = named?.type ?? map.entries();
  const difference = type === undefined ? undefined : compareNodes(before, after, type);
  if (difference !== undefined) children.add(named?.element ?? fieldElement(name), difference);
}

function compareLists(before: readonly JsonValue[], after: readonly JsonValue[], list: ListType): Difference | undefined {
  const type = list.items();
  const children = new Children();
  const aligned = before.length === after.length ? alignedElements(before, after, list) : undefined;
  if (aligned !== undefined) {
    for (const [position, element] of aligned.entries()) children.add(element, compareNodes(before[position], after[position], type));
    return children.difference();
  }
  const left = byElement(before, list);
  const right = byElement(after, list);
  for (const [element, items] of left) children.add(element, compareItems(items, right.get(element) ?? [], type));
  for (const [element, items] of right) if (!left.has(element)) children.add(element, compareItems([], items, type));
  return children.difference();
}

/** The elements of two lists with the same items in the same order, each once: nearly always the case. */
function alignedElements(before: readonly JsonValue[], after: readonly JsonValue[], list: ListType): readonly PathElement[] | undefined {
  const elements = distinctElements(list, before);
  if (elements === undefined) return undefined;
  for (const [position, element] of elements.entries()) if (itemElement(list, after[position] ?? null) !== element) return undefined;
  return elements;
}

function byElement(items: readonly JsonValue[], list: ListType): Map<PathElement, JsonValue[]> {
  const found = new Map<PathElement, JsonValue[]>();
  for (const item of items) {
    const element = itemElement(list, item);
    if (typeof element !== "string") continue;
    const same = found.get(element);
    if (same === undefined) found.set(element, [item]);
    else same.push(item);
  }
  return found;
}

/** Items with the same keys; several of them are compared as one, by their keys only. */
function compareItems(before: readonly JsonValue[], after: readonly JsonValue[], type: MergeType): Difference | undefined {
  if (before.length <= 1 && after.length <= 1) return compareNodes(before[0], after[0], type);
  if (before.length > 1 && after.length > 1) return jsonEqual(before, after) ? undefined : modifiedLeaf;
  const [rest, marker] =
    before.length > 1 ? [compareNodes(undefined, after[0], type), removedLeaf] : [compareNodes(before[0], undefined, type), addedLeaf];
  return rest === undefined ? marker : joinDifferences(rest, marker);
}

/** Collects the differences of the members of an object or list. */
class Children {
  #added: Record<PathElement, FieldSet> | undefined;
  #modified: Record<PathElement, FieldSet> | undefined;
  #removed: Record<PathElement, FieldSet> | undefined;

  add(element: PathElement, difference: Difference | undefined): void {
    if (difference === undefined) return;
    if (difference.added !== undefined) (this.#added ??= {})[element] = difference.added;
    if (difference.modified !== undefined) (this.#modified ??= {})[element] = difference.modified;
    if (difference.removed !== undefined) (this.#removed ??= {})[element] = difference.removed;
  }

  difference(): Difference | undefined {
    const added = fieldNode(false, this.#added);
    const modified = fieldNode(false, this.#modified);
    const removed = fieldNode(false, this.#removed);
    return added === undefined && modified === undefined && removed === undefined ? undefined : { added, modified, removed };
  }
}

function joinDifferences(a: Difference, b: Difference): Difference {
  const join = (left: FieldSet | undefined, right: FieldSet | undefined): FieldSet | undefined =>
    left === undefined || right === undefined ? (left ?? right) : unionNodes(left, right);
  return { added: join(a.added, b.added), modified: join(a.modified, b.modified), removed: join(a.removed, b.removed) };
}
