/**
 * Who wrote a change, by the field managers the server keeps with every object.
 *
 *     metadata.managedFields of before and after → managersOf → those who own what changed, the newest first
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
 * Whether any entry is another than before, so that managers say who wrote. A second write of the same fields within a
 * second leaves no trace:
 * then they only say who owns what.
 */
export function isTraced(before: unknown, after: unknown): boolean {
  const then = managersIn(before);
  return renewedSince(then, managersIn(after)).length > 0;
}

/**
 * The managers that changed an object, the newest first; none when nothing tells: managed fields were not kept, or
 * whoever took a field away
 * owns nothing else.
 */
export function managersOf(before: unknown, after: unknown): readonly Manager[] {
  const then = managersIn(before);
  const now = managersIn(after);
  const old = before as JsonValue | undefined;
  const current = after as JsonValue | undefined;
  // A write renews the entry of whoever made it, to the second. Who owns a field that somebody else has just changed,
  // under a field of another name, say, did nothing.
  const renewed = renewedSince(then, now);
  const candidates = renewed.length > 0 && then.size > 0 ? renewed : [...now.values()];
  const owners = candidates.filter((manager) => !isEmptyFieldSet(manager.fields) && ownsChange(manager.fields, old, current));
  // Of what went there is no owner left. Somebody who owned it and has written since let it go; without such a one it
  // was whoever has written since.
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

/** The manager that created an object: the one that wrote first, and not through a subresource. */
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
    // What no server has written says nothing about who wrote.
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

/** Whether something in the set has another value than before. What is gone has no owner. */
function ownsChange(set: FieldSet, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (after === undefined || jsonEqual(before, after)) return false;
  const elements = Object.keys(set).filter((element) => element !== ".");
  if (elements.length === 0) return true;
  return elements.some((element) => ownsChange(set[element] ?? emptyFieldSet, childAt(before, element), childAt(after, element)));
}

/** Whether something in the set was there before and is gone. */
function losesField(set: FieldSet, before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (before === undefined) return false;
  return Object.entries(set).some(([element, below]) => {
    if (element === ".") return false;
    const was = childAt(before, element);
    const is = childAt(after, element);
    return was !== undefined && (is === undefined || losesField(below, was, is));
  });
}

/** What an element of FieldsV1 leads to. */
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
