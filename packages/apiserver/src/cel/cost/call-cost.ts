/** The actual cost of a call, mostly by the size of its arguments. */
import { byteLength } from "@drover/machinery";
import { codePoints } from "../library/standard.ts";
import { patternSizeOf } from "../library/named-formats.ts";
import { entriesOf } from "../value/collections.ts";
import { isFailure } from "../value/failure.ts";
import { itemsOf } from "../value/value.ts";
import type { CelObject, CelValue } from "../value/value.ts";

/** Cost per character, and per character of a pattern. */
export const characterCost = 0.1;
export const patternCost = 0.25;
export const listCost = 10;
export const mapCost = 30;
export const structCost = 40;
/** One check of access; an expression can afford two. */
const accessCheckCost = 350_000;

/** Returns the size of a value: characters, items or entries; 1 for other values. */
export function sizeOfValue(value: CelValue): number {
  if (typeof value === "string") return codePoints(value);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  switch (value.kind) {
    case "list":
    case "map":
    case "object":
      return value.size;
    case "optional":
      return value.value === undefined ? 1 : sizeOfValue(value.value);
    case "uint":
    case "duration":
    case "timestamp":
    case "type":
    case "unknown":
    default:
      return 1;
  }
}

const unitCalls: ReadonlySet<string> = new Set([
  "masked",
  "prefixLength",
  "family",
  "isUnspecified",
  "isLoopback",
  "isLinkLocalMulticast",
  "isLinkLocalUnicast",
  "isGlobalUnicast",
  "format.named",
  "sign",
  "asInteger",
  "isInteger",
  "asApproximateFloat",
  "isGreaterThan",
  "isLessThan",
  "compareTo",
  "add",
  "sub",
  "major",
  "minor",
  "patch",
  "getScheme",
  "getHostname",
  "getHost",
  "getPort",
  "getEscapedPath",
  "getQuery",
]);
const traversals: ReadonlySet<string> = new Set(["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"]);
const readings: ReadonlySet<string> = new Set([
  "url",
  "lowerAscii",
  "upperAscii",
  "substring",
  "trim",
  "cidr",
  "isIP",
  "isCIDR",
  "quantity",
  "isQuantity",
  "semver",
  "isSemver",
  "jsonpatch.escapeKey",
]);

/** Returns the cost of a call that was made. */
export function callCost(name: string, overloadId: string, args: readonly CelValue[], result: CelValue | undefined): number {
  const [first = null, second = null] = args;
  if (traversals.has(name)) return traversalCost(first);
  if (readings.has(name)) return perCharacter(first);
  if (unitCalls.has(name) || overloadId === "cidr_ip") return 1;
  switch (name) {
    case "check":
      return accessCheckCost;
    case "fieldSelector":
    case "labelSelector":
      return selectorCost(sizeOfValue(second));
    case "ip":
      return perCharacter(first);
    case "ip.isCanonical":
    case "replace":
    case "split":
      return perCharacter(first, 2);
    case "join":
      return perCharacter(result ?? null, 2);
    case "find":
    case "findAll":
      return searchCost(first, second);
    case "matches":
      return overloadId === "matches" ? 1 : searchCost(first, second);
    case "validate":
      return Math.ceil((1 + sizeOfValue(second)) * characterCost) * Math.ceil(patternSizeOf(first as CelObject) * patternCost);
    case "containsIP":
      return Math.ceil(2 * sizeOfValue(first) * characterCost) + (overloadId === "cidr_contains_ip_string" ? perCharacter(second) : 0);
    case "containsCIDR":
      return (
        Math.ceil(2 * sizeOfValue(first) * characterCost) +
        perCharacter(first) +
        1 +
        (overloadId === "cidr_contains_cidr_string" ? perCharacter(second) : 0)
      );
    default:
      return standardCost(name, overloadId, args) ?? listCallCost(overloadId, args, result) ?? 1;
  }
}

/** A list of requirements, each at least two characters long, with a list of values. */
const selectorCost = (length: number): number =>
  listCost + Math.ceil(length * characterCost) + Math.ceil(Math.ceil(length * 0.5) * (listCost + structCost));

/** By the length of the text and the pattern; an empty text has a minimum cost. */
const searchCost = (text: CelValue, pattern: CelValue): number =>
  Math.ceil((1 + sizeOfValue(text)) * characterCost) * Math.ceil(sizeOfValue(pattern) * patternCost);

const perCharacter = (value: CelValue, times = 1): number => Math.ceil(sizeOfValue(value) * times * characterCost);

function standardCost(name: string, overloadId: string, [first = null, second = null]: readonly CelValue[]): number | undefined {
  switch (overloadId) {
    case "starts_with_string":
    case "ends_with_string":
    case "string_to_bytes":
    case "bytes_to_string":
    case "strings_quote":
    case "string_format":
      return perCharacter(first);
    case "in_list":
      return sizeOfValue(second);
    case "equals":
    case "not_equals":
      return typeof first === "object" && first !== null && "kind" in first && first.kind === "object" ? 1 : smallerOf(first, second);
    case "add_string":
    case "add_bytes":
      return Math.ceil((sizeOfValue(first) + sizeOfValue(second)) * characterCost);
    case "contains_string":
      return perCharacter(first) * perCharacter(second);
    default:
      return /^_[<>]=?_$/.test(name) && /_(?:string|bytes)$/.test(overloadId) ? smallerOf(first, second) : undefined;
  }
}

const smallerOf = (a: CelValue, b: CelValue): number => Math.ceil(Math.min(sizeOfValue(a), sizeOfValue(b)) * characterCost);

function listCallCost(overloadId: string, args: readonly CelValue[], result: CelValue | undefined): number | undefined {
  const [first = null, second = null] = args;
  const made = (units: number): number => Math.floor(units) + 1 + listCost;
  const product = sizeOfValue(first) * sizeOfValue(second);
  switch (overloadId) {
    case "list_slice":
    case "lists_range":
    case "list_reverse":
      return made(sizeOfValue(result ?? null));
    case "list_flatten":
      return made(sizeOfValue(first));
    case "list_flatten_int":
      return made(sizeOfValue(first) * Number(second));
    case "list_distinct":
      return made(pairCost(first));
    case "list_sets_contains_list":
    case "list_sets_intersects_list":
      return 1 + product;
    case "list_sets_equivalent_list":
      return 1 + 2 * product;
    default:
      if (overloadId.endsWith("_sort")) return made(pairCost(first));
      return overloadId.endsWith("_sortByAssociatedKeys") ? made(pairCost(second)) : undefined;
  }
}

/** Every item compared with every other. */
function pairCost(list: CelValue): number {
  if (typeof list !== "object" || list === null || !("kind" in list) || list.kind !== "list") return 0;
  const item = list.size === 0 ? null : list.at(0);
  return list.size * list.size * (typeof item === "string" || item instanceof Uint8Array ? 2 + characterCost : 2);
}

function traversalCost(value: CelValue): number {
  if (typeof value === "string") return Math.trunc(byteLength(value) * characterCost);
  if (typeof value !== "object" || value === null) return 1;
  if (value instanceof Uint8Array) return Math.trunc(value.length * characterCost);
  if (value.kind === "list") {
    const items = itemsOf(value);
    return isFailure(items) ? 1 : items.reduce<number>((sum, item) => sum + traversalCost(item), 0);
  }
  if (value.kind !== "map") return 1;
  const entries = entriesOf(value);
  return isFailure(entries) ? 1 : entries.reduce((sum, [key, inner]) => sum + traversalCost(key) + traversalCost(inner), 0);
}

/** Calls whose cost is known in advance and can be excessive are charged before they run. */
export const paysFirst = (overloadId: string): boolean =>
  overloadId === "list_distinct" ||
  overloadId.startsWith("list_sets_") ||
  overloadId.endsWith("_sort") ||
  overloadId.endsWith("_sortByAssociatedKeys");
