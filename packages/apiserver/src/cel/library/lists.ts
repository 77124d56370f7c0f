/** Functions on lists, sets and optional values. */
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { entriesOf, withEntry } from "../value/collections.ts";
import { compareValues, equalValues } from "../value/compare.ts";
import { checkedInt, checkedUint } from "../value/convert.ts";
import { failure, isFailure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { checkedDuration } from "../value/time.ts";
import { duration, itemsOf, kindOf, listOf, none, optional, typeName, uint } from "../value/value.ts";
import type { CelDuration, CelList, CelMap, CelOptional, CelUint, CelValue } from "../value/value.ts";
import { WorkLimitError } from "../value/work-limit.ts";

type Outcome = CelValue | CelFailure;

/** Runs with the items of the first argument, or returns the failure among them. */
const withItems =
  <T extends readonly never[]>(run: (items: readonly CelValue[], ...rest: T) => Outcome) =>
  (list: CelList, ...rest: T): Outcome => {
    const items = itemsOf(list);
    return isFailure(items) ? items : run(items, ...rest);
  };

const comparable: readonly string[] = ["int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes"];

function isSorted(items: readonly CelValue[]): Outcome {
  return items.every((item, index) => index === 0 || compareValues(items[index - 1] ?? null, item) !== 1);
}

const extreme =
  (name: string, preferred: 1 | -1) =>
  (items: readonly CelValue[]): Outcome => {
    let best: CelValue | undefined;
    for (const item of items) if (best === undefined || compareValues(best, item) === preferred) best = item;
    return best ?? failure(`${name} called on empty list`);
  };

/** Sums until a failure. */
const total =
  <T extends CelValue>(zero: T, add: (sum: T, item: T) => T | CelFailure) =>
  (items: readonly CelValue[]): Outcome => {
    let sum = zero;
    for (const item of items) {
      const next = add(sum, item as T);
      if (isFailure(next)) return failure("no such overload");
      sum = next;
    }
    return sum;
  };

const sums: Readonly<Record<string, (items: readonly CelValue[]) => Outcome>> = {
  int: total<bigint>(0n, (a, b) => checkedInt(a + b)),
  uint: total<CelUint>(uint(0n), (a, b) => checkedUint(a.value + b.value)),
  double: total<number>(0, (a, b) => a + b),
  duration: total<CelDuration>(duration(0n), (a, b) => checkedDuration(a.nanos + b.nanos)),
};

const indexWhere = (items: readonly CelValue[], item: CelValue): Outcome =>
  BigInt(items.findIndex((other) => equalValues(other, item) === true));
const lastIndexWhere = (items: readonly CelValue[], item: CelValue): Outcome =>
  BigInt(items.findLastIndex((other) => equalValues(other, item) === true));

function slice(items: readonly CelValue[], start: bigint, end: bigint): Outcome {
  if (start < 0n || end < 0n) return failure(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end) return failure(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (items.length < end) return failure(`cannot slice(${start}, ${end}), list is length ${items.length}`);
  return listOf(items.slice(Number(start), Number(end)));
}

function flatten(items: readonly CelValue[], depth: bigint): readonly CelValue[] | CelFailure {
  const flat: CelValue[] = [];
  for (const item of items) {
    if (depth === 0n || typeof item !== "object" || item === null || !("kind" in item) || item.kind !== "list") flat.push(item);
    else {
      const inner = itemsOf(item);
      const below = isFailure(inner) ? inner : flatten(inner, depth - 1n);
      if (isFailure(below)) return below;
      for (const each of below) flat.push(each);
    }
  }
  return flat;
}

const flattened = (items: readonly CelValue[], depth: bigint): Outcome => {
  if (depth < 0n) return failure("level must be non-negative");
  const flat = flatten(items, depth);
  return isFailure(flat) ? flat : listOf(flat);
};

function sortBy(items: readonly CelValue[], keys: readonly CelValue[]): Outcome {
  if (keys[0] !== undefined && !comparable.includes(kindOf(keys[0]))) return failure("list elements must be comparable");
  if (keys.some((key) => typeName(key) !== typeName(keys[0] ?? null))) return failure("list elements must have the same type");
  const order = (a: number, b: number): number => {
    const compared = compareValues(keys[a] ?? null, keys[b] ?? null);
    return isFailure(compared) ? 0 : compared;
  };
  return listOf(
    items
      .map((_item, index) => index)
      .toSorted(order)
      .map((index) => items[index] ?? null),
  );
}

function distinct(items: readonly CelValue[]): Outcome {
  const seen: CelValue[] = [];
  for (const item of items) if (!seen.some((other) => equalValues(item, other) === true)) seen.push(item);
  return listOf(seen);
}

const rangeMax = 1_000_000n;

/** Refuses more numbers than any cost budget allows. */
const range = (count: bigint): Outcome => {
  if (count > rangeMax) throw new WorkLimitError();
  return listOf(Array.from({ length: count < 0n ? 0 : Number(count) }, (_none, index) => BigInt(index)));
};

const contains = (all: readonly CelValue[], some: readonly CelValue[]): boolean =>
  some.every((item) => all.some((other) => equalValues(other, item) === true));
const pair =
  (run: (a: readonly CelValue[], b: readonly CelValue[]) => Outcome) =>
  (a: CelList, b: CelList): Outcome => {
    const [ours, theirs] = [itemsOf(a), itemsOf(b)];
    return isFailure(ours) ? ours : isFailure(theirs) ? theirs : run(ours, theirs);
  };

const setFunctions: readonly Overload[] = [
  overload("list_sets_contains_list", "sets.contains(list(T), list(T)) bool", pair(contains)),
  overload(
    "list_sets_equivalent_list",
    "sets.equivalent(list(T), list(T)) bool",
    pair((a, b) => contains(a, b) && contains(b, a)),
  ),
  overload(
    "list_sets_intersects_list",
    "sets.intersects(list(T), list(T)) bool",
    pair((a, b) => a.some((item) => b.some((other) => equalValues(other, item) === true))),
  ),
];

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0 || value === 0n || value === "") return true;
  if (typeof value !== "object") return false;
  if (value instanceof Uint8Array) return value.length === 0;
  switch (value.kind) {
    case "list":
    case "map":
      return value.size === 0;
    case "uint":
      return value.value === 0n;
    case "duration":
      return value.nanos === 0n;
    case "optional":
      return value.value === undefined;
    case "timestamp":
    case "type":
    case "object":
    case "unknown":
    default:
      return false;
  }
}

const present = (items: readonly CelValue[]): Outcome =>
  listOf(
    items.flatMap((item) =>
      typeof item === "object" && item !== null && "kind" in item && item.kind === "optional" && item.value !== undefined
        ? [item.value]
        : [],
    ),
  );

const optionalFunctions: readonly Overload[] = [
  overload("optional_of", "optional.of(V) optional(V)", (value: CelValue) => optional(value)),
  overload("optional_ofNonZeroValue", "optional.ofNonZeroValue(V) optional(V)", (value: CelValue) =>
    isZero(value) ? none : optional(value),
  ),
  overload("optional_none", "optional.none() optional(V)", () => none),
  overload(
    "optional_value",
    "optional(V) . value() V",
    ({ value }: CelOptional) => value ?? (value === undefined ? failure("optional.none() dereference") : value),
  ),
  overload("optional_hasValue", "optional(V) . hasValue() bool", ({ value }: CelOptional) => value !== undefined),
  overload("optional_or_optional", "optional(V) . or(optional(V)) optional(V)"),
  overload("optional_orValue_value", "optional(V) . orValue(V) V"),
  overload("list_optindex_optional_int", "_[?_](list(V), int) optional(V)"),
  overload("optional_list_optindex_optional_int", "_[?_](optional(list(V)), int) optional(V)"),
  overload("map_optindex_optional_value", "_[?_](map(K, V), K) optional(V)"),
  overload("optional_map_optindex_optional_value", "_[?_](optional(map(K, V)), K) optional(V)"),
  overload(
    "list_first",
    "list(V) . first() optional(V)",
    withItems((items) => (items.length === 0 ? none : optional(items[0]))),
  ),
  overload(
    "list_last",
    "list(V) . last() optional(V)",
    withItems((items) => (items.length === 0 ? none : optional(items.at(-1)))),
  ),
  overload("optional_unwrap", "optional.unwrap(list(optional(V))) list(V)", withItems(present)),
  overload("optional_unwrapOpt", "list(optional(V)) . unwrapOpt() list(V)", withItems(present)),
];

const mapInserts: readonly Overload[] = [
  overload("@mapInsert_key_value", "cel.@mapInsert(map(K, V), K, V) map(K, V)", withEntry),
  overload("@mapInsert_map", "cel.@mapInsert(map(K, V), map(K, V)) map(K, V)", (map: CelMap, more: CelMap) => {
    const entries = entriesOf(more);
    if (isFailure(entries)) return entries;
    let made: CelMap | CelFailure = map;
    for (const [key, value] of entries) if (!isFailure(made)) made = withEntry(made, key, value);
    return made;
  }),
];

/** The overloads. */
export const listFunctions: readonly Overload[] = [
  ...comparable.map((type) => overload(`list_${type}_is_sorted_bool`, `list(${type}) . isSorted() bool`, withItems(isSorted))),
  ...Object.entries(sums).map(([type, sum]) => overload(`list_${type}_sum_${type}`, `list(${type}) . sum() ${type}`, withItems(sum))),
  ...comparable.map((type) => overload(`list_${type}_max_${type}`, `list(${type}) . max() ${type}`, withItems(extreme("max", -1)))),
  ...comparable.map((type) => overload(`list_${type}_min_${type}`, `list(${type}) . min() ${type}`, withItems(extreme("min", 1)))),
  overload("list_a_index_of_int", "list(A) . indexOf(A) int", withItems(indexWhere)),
  overload("list_a_last_index_of_int", "list(A) . lastIndexOf(A) int", withItems(lastIndexWhere)),
  overload("list_slice", "list(T) . slice(int, int) list(T)", withItems(slice)),
  overload(
    "list_flatten",
    "list(list(T)) . flatten() list(T)",
    withItems((items) => flattened(items, 1n)),
  ),
  overload("list_flatten_int", "list(dyn) . flatten(int) list(dyn)", withItems(flattened)),
  ...comparable.map((type) =>
    overload(
      `list_${type}_sort`,
      `list(${type}) . sort() list(${type})`,
      withItems((items) => sortBy(items, items)),
    ),
  ),
  ...comparable.map((type) =>
    overload(`list_${type}_sortByAssociatedKeys`, `list(T) . @sortByAssociatedKeys(list(${type})) list(T)`, pair(sortBy)),
  ),
  overload("lists_range", "lists.range(int) list(int)", range),
  overload(
    "list_reverse",
    "list(T) . reverse() list(T)",
    withItems((items) => listOf(items.toReversed())),
  ),
  overload("list_distinct", "list(T) . distinct() list(T)", withItems(distinct)),
  ...setFunctions,
  ...optionalFunctions,
  ...mapInserts,
];
