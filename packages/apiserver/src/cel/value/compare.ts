/** Equality and order of values. Numbers of different types compare by value. */
import { compareBytes, jsonEqual } from "@drover/machinery";
import { isFailure, failure, noSuchOverload } from "./failure.ts";
import type { CelFailure } from "./failure.ts";
import { itemsOf } from "./value.ts";
import type { CelList, CelMap, CelValue } from "./value.ts";

/** Whether two values are equal. Values of different types are not. */
export function equalValues(a: CelValue, b: CelValue): boolean | CelFailure {
  if (a === null || b === null) return a === b;
  const numbers = [numberOf(a), numberOf(b)];
  if (numbers[0] !== undefined) return numbers[1] !== undefined && compareNumbers(numbers[0], numbers[1]) === 0;
  if (typeof a !== "object") return a === b;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && a.length === b.length && a.every((byte, index) => byte === b[index]);
  if (typeof b !== "object" || b instanceof Uint8Array || a.kind !== b.kind) return differs(a);
  switch (a.kind) {
    case "duration":
      return b.kind === "duration" && a.nanos === b.nanos;
    case "timestamp":
      return b.kind === "timestamp" && a.nanos === b.nanos;
    case "list":
      return b.kind === "list" && equalLists(a, b);
    case "map":
      return b.kind === "map" && equalMaps(a, b);
    case "optional":
      return b.kind === "optional" && equalOptionals(a.value, b.value);
    case "type":
      return b.kind === "type" && a.name === b.name;
    case "object":
      return b.kind === "object" && a.type.name === b.type.name && a.equals(b.value);
    case "unknown":
      return b.kind === "unknown" && jsonEqual(a.value, b.value);
    case "uint":
    default:
      return false;
  }
}

/** Lists and objects of a schema fail when compared with other types; values built by the expression are merely unequal. */
function differs(a: Extract<CelValue, object>): false | CelFailure {
  if (a instanceof Uint8Array) return false;
  return (a.kind === "list" && a.flavour !== "plain") || (a.kind === "map" && a.fromSchema) ? noSuchOverload : false;
}

function equalOptionals(a: CelValue | undefined, b: CelValue | undefined): boolean | CelFailure {
  return a === undefined || b === undefined ? a === b : equalValues(a, b);
}

function equalLists(a: CelList, b: CelList): boolean | CelFailure {
  if (a.size !== b.size) return false;
  const [ours, theirs] = [itemsOf(a), itemsOf(b)];
  if (isFailure(ours)) return ours;
  if (isFailure(theirs)) return theirs;
  if (a.flavour === "set") {
    const set = new Set(ours.map(scalarKey));
    return theirs.every((item) => set.has(scalarKey(item)));
  }
  if (typeof a.flavour === "object") return equalByKeys(ours, theirs, a.flavour.keys);
  for (const [index, item] of ours.entries()) {
    const equal = equalValues(item, theirs[index] ?? null);
    if (equal === false || (a.flavour !== "plain" && equal !== true)) return equal;
  }
  return true;
}

function equalByKeys(ours: readonly CelValue[], theirs: readonly CelValue[], keys: readonly string[]): boolean | CelFailure {
  const byKey = new Map(ours.map((item) => [itemKey(item, keys), item]));
  for (const item of theirs) {
    const mine = byKey.get(itemKey(item, keys));
    const equal = mine === undefined ? false : equalValues(mine, item);
    if (equal !== true) return equal;
  }
  return true;
}

function equalMaps(a: CelMap, b: CelMap): boolean | CelFailure {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const [mine, theirs] = [a.find(key), b.find(key)];
    if (theirs === undefined || mine === undefined) {
      if (mine === theirs) continue;
      return false;
    }
    if (isFailure(mine)) return mine;
    if (isFailure(theirs)) return theirs;
    const equal = equalValues(mine, theirs);
    if (equal === false || (a.fromSchema && equal !== true)) return equal;
  }
  const others = b.unknown();
  return [...a.unknown()].every(([name, value]) => {
    const other = others.get(name);
    return other === undefined || jsonEqual(value, other);
  });
}

/** Identifies an item of a set, or a key of a map: equal values have the same text. */
export function scalarKey(value: CelValue): string {
  const number = numberOf(value);
  if (number !== undefined) return `number ${number}`;
  if (typeof value !== "object") return `${typeof value} ${String(value)}`;
  if (value === null) return "null";
  if (value instanceof Uint8Array) return `bytes ${value.join(",")}`;
  if (value.kind === "duration" || value.kind === "timestamp") return `${value.kind} ${value.nanos}`;
  const keyOf = (part: CelValue | CelFailure | undefined): string => (part === undefined || isFailure(part) ? "" : scalarKey(part));
  if (value.kind === "list") {
    const items = itemsOf(value);
    return `list ${JSON.stringify(isFailure(items) ? [] : items.map(scalarKey))}`;
  }
  if (value.kind === "map")
    return `map ${JSON.stringify(
      value
        .keys()
        .map((key) => `${scalarKey(key)}: ${keyOf(value.find(key))}`)
        .toSorted(),
    )}`;
  return `other ${JSON.stringify(value, (_name, part: unknown) => (typeof part === "bigint" ? String(part) : part))}`;
}

/** Identifies an item of a map list. */
export function itemKey(item: CelValue, keys: readonly string[]): string {
  if (typeof item !== "object" || item === null || !("kind" in item) || item.kind !== "map") return scalarKey(item);
  return JSON.stringify(
    keys.map((key) => {
      const value = item.find(key);
      return value === undefined || isFailure(value) ? null : scalarKey(value);
    }),
  );
}

/** Returns the number of a numeric value. */
function numberOf(value: CelValue): bigint | number | undefined {
  if (typeof value === "bigint" || typeof value === "number") return value;
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "uint" ? value.value : undefined;
}

/** NaN if either is NaN. */
function compareNumbers(a: bigint | number, b: bigint | number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  // As in cel-go, an integer compared with a double is converted to a double.
  if (typeof a === "number" || typeof b === "number") return Math.sign(Number(a) === Number(b) ? 0 : Number(a) < Number(b) ? -1 : 1);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns -1, 0 or 1; a failure for values without an order. */
export function compareValues(a: CelValue, b: CelValue): number | CelFailure {
  const numbers = [numberOf(a), numberOf(b)];
  if (numbers[0] !== undefined && numbers[1] !== undefined) {
    const order = compareNumbers(numbers[0], numbers[1]);
    return Number.isNaN(order) ? failure("NaN values cannot be ordered") : order;
  }
  if (typeof a === "string" && typeof b === "string") return Math.sign(compareBytes(a, b));
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareByteArrays(a, b);
  if (typeof a !== "object" || a === null || a instanceof Uint8Array || typeof b !== "object" || b === null || b instanceof Uint8Array)
    return noSuchOverload;
  const isTime = (a.kind === "duration" && b.kind === "duration") || (a.kind === "timestamp" && b.kind === "timestamp");
  if (!isTime) return noSuchOverload;
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

function compareByteArrays(a: Uint8Array, b: Uint8Array): number {
  const index = a.findIndex((byte, at) => byte !== b[at]);
  if (index < 0) return Math.sign(a.length - b.length);
  return Math.sign((a[index] ?? 0) - (b[index] ?? -1));
}
