/**
 * Finds the writers of a change by the field managers that the server keeps with every object.
 *
 *     metadata.managedFields of before and after → managersOf → owners of what changed, newest first
 */
import {
  decodeManagedFields,
  emptyFieldSet,
  getOwn,
  isEmptyFieldSet,
  isJsonObject,
  jsonEqual,
  managerIdentity,
  parseTime,
  sameFieldSet,
} from "@drover/machinery";
import type { FieldSet, JsonObject, JsonValue, Manager, Managers } from "@drover/machinery";

/**
 * Reports whether any entry of managedFields changed, so that the managers tell who wrote. A second write of the same fields within a
 * second leaves no trace: then they tell only who owns what.
 */
export function isTraced(before: unknown, after: unknown): boolean {
  const then = managersIn(before);
  return renewedSince(then, managersIn(after)).length > 0;
}

/**
 * Returns the managers that changed an object, newest first; empty if unknown: managed fields were not kept, or the writer that removed a
 * field owns nothing else.
 */
export function managersOf(before: unknown, after: unknown): readonly Manager[] {
  const then = managersIn(before);
  const now = managersIn(after);
  const old = before as JsonValue | undefined;
  const current = after as JsonValue | undefined;
  // A write renews the entry of its manager, with a resolution of one second. An owner whose entry is unchanged did not write, even if
  // another writer just changed the field it owns.
  const renewed = renewedSince(then, now);
  const candidates = renewed.length > 0 && then.size > 0 ? renewed : [...now.values()];
  const owners = candidates.filter((manager) => !isEmptyFieldSet(manager.fields) && ownsChange(manager.fields, old, current));
  // A removed field has no owner any more. A manager that owned it and has written since removed it; if there is none, any manager that has
  // written since.
  const writers = [...now.values()].filter(
    (manager) => timeOf(manager) > timeOf(then.get(managerIdentity(manager))) && !owners.includes(manager),
  );
  const removers = writers.filter((manager) => losesField(then.get(managerIdentity(manager))?.fields ?? emptyFieldSet, old, current));
  const found = [...owners, ...removers];
  return newestFirst(found.length > 0 || then.size === 0 ? found : writers);
}

function renewedSince(then: Managers, now: Managers): readonly Manager[] {
  return [...now.values()].filter((manager) => !isSameEntry(manager, then.get(managerIdentity(manager))));
}

function isSameEntry(entry: Manager, other: Manager | undefined): boolean {
  return other !== undefined && entry.time === other.time && sameFieldSet(entry.fields, other.fields);
}

/** Returns the manager that created an object: the first one that did not write through a subresource. */
export function creatorOf(object: unknown): Manager | undefined {
  return [...managersIn(object).values()].toSorted(
    (a, b) => timeOf(a) - timeOf(b) || Number(a.subresource !== "") - Number(b.subresource !== ""),
  )[0];
}

function managersIn(object: unknown): Managers {
  const metadata = isJsonObject(object as JsonValue) ? getOwn(object as JsonObject, "metadata") : undefined;
  try {
    return decodeManagedFields(isJsonObject(metadata) ? getOwn(metadata, "managedFields") : undefined);
  } catch {
    // Not written by a server, so it does not tell who wrote.
    return new Map();
  }
}

const newestFirst = (managers: readonly Manager[]): readonly Manager[] => managers.toSorted((a, b) => timeOf(b) - timeOf(a));

function timeOf(manager: Manager | undefined): number {
  try {
    return manager?.time === undefined ? 0 : parseTime(manager.time);
  } catch {
    return 0;
  }
}

/** Reports whether a field in the set has a new value. Removed fields have no owner. */
function ownsChange(set: FieldSet, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (after === undefined || jsonEqual(before, after)) return false;
  const elements = Object.keys(set).filter((element) => element !== ".");
  if (elements.length === 0) return true;
  return elements.some((element) => ownsChange(set[element] ?? emptyFieldSet, childAt(before, element), childAt(after, element)));
}

/** Reports whether a field in the set was removed. */
function losesField(set: FieldSet, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined) return false;
  return Object.entries(set).some(([element, below]) => {
    if (element === ".") return false;
    const was = childAt(before, element);
    const is = childAt(after, element);
    return was !== undefined && (is === undefined || losesField(below, was, is));
  });
}

/** Returns the value that an element of FieldsV1 refers to. */
function childAt(value: JsonValue | undefined, element: string): JsonValue | undefined {
  const rest = element.slice(2);
  if (element.startsWith("f:")) return isJsonObject(value) ? getOwn(value, rest) : undefined;
  if (!Array.isArray(value)) return undefined;
  if (element.startsWith("i:")) return value[Number(rest)];
  const wanted = JSON.parse(rest) as JsonValue;
  if (element.startsWith("v:")) return value.find((item) => jsonEqual(item, wanted));
  return isJsonObject(wanted)
    ? value.find((item) => isJsonObject(item) && Object.entries(wanted).every(([name, key]) => jsonEqual(getOwn(item, name), key)))
    : undefined;
}
