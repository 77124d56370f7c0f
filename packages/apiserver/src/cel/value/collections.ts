/**
 * Lists and maps that expressions build. Appending in a loop does not copy: a longer list or map shares its memory with the
 * shorter one, which does not look past its own end.
 */
import type { JsonValue } from "@drover/machinery";
import { itemKey, scalarKey } from "./compare.ts";
import { failure, isFailure } from "./failure.ts";
import type { CelFailure } from "./failure.ts";
import { itemsOf, listOf, typeName } from "./value.ts";
import type { CelList, CelMap, CelValue } from "./value.ts";

interface Entry {
  readonly key: CelValue;
  readonly value: CelValue;
  readonly index: number;
}

interface MadeMap extends CelMap {
  readonly entries: Map<string, Entry>;
}

const nothing: ReadonlyMap<string, JsonValue> = new Map();

/** Returns a map of these entries; the last one wins for a duplicate key. */
export function mapOf(entries: Iterable<readonly [key: CelValue, value: CelValue]>): CelMap {
  const made = new Map<string, Entry>();
  for (const [key, value] of entries) {
    const id = scalarKey(key);
    made.set(id, { key, value, index: made.get(id)?.index ?? made.size });
  }
  return viewOf(made, made.size);
}

function viewOf(entries: Map<string, Entry>, size: number): MadeMap {
  const find = (key: CelValue): CelValue | undefined => {
    const entry = entries.get(scalarKey(key));
    return entry === undefined || entry.index >= size ? undefined : entry.value;
  };
  return {
    kind: "map",
    size,
    fromSchema: false,
    find,
    keys: () => Array.from(entries.values(), ({ key }) => key).slice(0, size),
    unknown: () => nothing,
    entries,
  };
}

/** Returns the map with one more entry; fails for a duplicate key. */
export function withEntry(map: CelMap, key: CelValue, value: CelValue): CelMap | CelFailure {
  if (map.find(key) !== undefined) return failure(`insert failed: key ${printKey(key)} already exists`);
  const own = "entries" in map ? (map as MadeMap).entries : undefined;
  if (own !== undefined && own.size === map.size) {
    own.set(scalarKey(key), { key, value, index: own.size });
    return viewOf(own, own.size);
  }
  const entries = entriesOf(map);
  return isFailure(entries) ? entries : mapOf([...entries, [key, value]]);
}

/** Returns the entries of a map, or the first failure among them. */
export function entriesOf(map: CelMap): (readonly [CelValue, CelValue])[] | CelFailure {
  const entries: (readonly [CelValue, CelValue])[] = [];
  for (const key of map.keys()) {
    const value = map.find(key);
    if (isFailure(value)) return value;
    if (value !== undefined) entries.push([key, value]);
  }
  return entries;
}

/** Concatenates lists. Sets drop duplicates; in map lists an item of the second replaces the one with its keys. */
export function joinLists(a: CelList, b: CelList): CelList | CelFailure {
  const theirs = itemsOf(b);
  if (isFailure(theirs)) return theirs;
  if (a.backing !== undefined && a.backing.length === a.size) {
    for (const item of theirs) a.backing.push(item);
    return viewOfList(a.backing, a.backing.length);
  }
  const ours = itemsOf(a);
  if (isFailure(ours)) return ours;
  if (a.flavour === "plain") return growingList([...ours, ...theirs]);
  if (a.flavour === "atomic") return listOf([...ours, ...theirs], a.flavour);
  const { flavour } = a;
  const keyOf = flavour === "set" ? scalarKey : (item: CelValue): string => itemKey(item, flavour.keys);
  const byKey = new Map(ours.map((item) => [keyOf(item), item]));
  for (const item of theirs) if (flavour !== "set" || !byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return listOf([...byKey.values()], flavour);
}

/** Returns a list that takes ownership of the array and can be appended to in place. */
export function growingList(items: CelValue[]): CelList {
  return viewOfList(items, items.length);
}

function viewOfList(backing: CelValue[], size: number): CelList {
  return { kind: "list", flavour: "plain", size, at: (index) => backing[index] ?? null, backing };
}

/** Prints a key, or another small value, as failures do. */
export function printKey(key: CelValue): string {
  if (typeof key !== "object" || key === null) return String(key);
  return "kind" in key && key.kind === "uint" ? String(key.value) : typeName(key);
}
