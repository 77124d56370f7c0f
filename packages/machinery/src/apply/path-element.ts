/**
 * One step of a path, as in FieldsV1: `f:name` a field, `k:{"name":"web"}` a list item by its keys, `v:"x"` a set item by its
 * value, `i:0` an item by its index.
 *
 * Elements are texts in canonical form, so two elements are equal exactly when their texts are. `compareElements` gives the
 * server's order by type and value.
 */
import { compareBytes } from "../go/byte-text.ts";
import { formatGoFloat } from "../go/go-float.ts";
import { printGoJson } from "../json/go-json.ts";
import { isInt64 } from "../json/go-print.ts";
import { quoteGo } from "../go/go-quote.ts";
import { isDeeper, mayBeDeeper } from "../json/json-depth.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../json/json-value.ts";

/** An element in canonical form. */
export type PathElement = string;

/** A FieldsV1 key that is not a path element. The server then acts as if the object had no managed fields. */
export class PathElementError extends Error {
  override readonly name = "PathElementError";
}

// Texts without escapes or alternative spellings; nearly all keys look like this.
const plainText = /^[\w ./:@-]*$/;
const plainKey = /^k:\{"[\w-]+":(?:"[\w ./:@-]*"|[1-9]\d{0,14})\}$/;
// A text without characters below its closing quote: such elements sort by their characters.
const comparable = /^(?:v:|k:\{"[\w-]+":)"[\w./:@-]*"\}?$/;
const index = /^[+-]?\d+$/;

/** Returns the element of an object field. */
export const fieldElement = (name: string): PathElement => `f:${name}`;

/** Returns the element of a set item. */
export const valueElement = (value: JsonValue): PathElement => `v:${elementJson(value)}`;

/** Returns the element of an item with these key fields. Assumes names in byte order. */
export const keyElement = (keys: readonly (readonly [name: string, value: JsonValue])[]): PathElement =>
  `k:{${keys.map(([name, value]) => `${elementJson(name)}:${elementJson(value)}`).join(",")}}`;

/**
 * Encodes a value within an element. Exponents have two digits, and of the control characters only newline, return and tab have a
 * short escape.
 */
export function elementJson(value: JsonValue): string {
  if (typeof value === "number" && value !== 0) return String(value).replace(/e([+-])(\d)$/, "e$10$2");
  if (typeof value === "string" && plainText.test(value)) return `"${value}"`;
  const text = printGoJson(value);
  return text.includes("\\")
    ? text.replaceAll(/\\(?:b|f|.)/g, (escape) => (escape === "\\b" ? "\\u0008" : escape === "\\f" ? "\\u000c" : escape))
    : text;
}

/** Canonicalizes a key of FieldsV1; undefined for an unknown element type. Throws for anything but an element. */
export function parseElement(text: string): PathElement | undefined {
  if (text.charCodeAt(1) !== 0x3a)
    throw new PathElementError(`${quoteGo(text)} is not a path element: a letter and a colon must come first`);
  switch (text[0]) {
    case "f":
      return text;
    case "k":
      return plainKey.test(text) ? text : keyElement(keysOf(text));
    case "v":
      return valueElement(parseJson(text));
    case "i": {
      if (!index.test(text.slice(2))) throw new PathElementError(`${quoteGo(text)} is not a path element: an index is a whole number`);
      return `i:${Number(text.slice(2))}`;
    }
    case undefined:
    default:
      return undefined;
  }
}

/** Options of `printElement`. */
export interface PrintElementOptions {
  /**
   * Whether integers print as such. The server decodes those of managed fields as floats and prints a million as `1e+06`.
   * @default true
   */
  readonly integers?: boolean;
}

/** Prints an element for messages: `.spec`, `[name="web"]`, `[="x"]`, `[0]`. */
export function printElement(element: PathElement, { integers = true }: PrintElementOptions = {}): string {
  switch (element[0]) {
    case "f":
      return `.${element.slice(2)}`;
    case "k":
      return `[${keysOf(element)
        .map(([name, value]) => `${name}=${printValue(value, integers)}`)
        .join(",")}]`;
    case "v":
      return `[=${printValue(parseJson(element), integers)}]`;
    case undefined:
    default:
      return `[${element.slice(2)}]`;
  }
}

/** Prints a path for messages: `.spec.containers[name="web"].image`. */
export const printPath = (path: readonly PathElement[], options?: PrintElementOptions): string =>
  path.map((element) => printElement(element, options)).join("");

/** The server's order: fields, keys, values, indexes; each by content. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const type = a.charCodeAt(0);
  if (type !== b.charCodeAt(0)) return rank(a) - rank(b);
  if (type === 0x66) return compareBytes(a, b);
  if (type === 0x69) return Number(a.slice(2)) - Number(b.slice(2));
  if (comparable.test(a) && comparable.test(b)) return a < b ? -1 : 1;
  return type === 0x6b ? compareKeys(keysOf(a), keysOf(b)) : compareValues(parseJson(a), parseJson(b));
}

/** Returns the key field names of an element; none for other elements. */
export const keyNames = (element: PathElement): string[] => (element.startsWith("k:") ? keysOf(element).map(([name]) => name) : []);

const rank = (element: PathElement): number => "fkvi".indexOf(element[0] ?? "");

type Keys = readonly (readonly [name: string, value: JsonValue])[];

function keysOf(element: PathElement): Keys {
  const keys = parseJson(element);
  if (keys === null) return [];
  if (!isJsonObject(keys)) throw new PathElementError(`${quoteGo(element)} is not a path element: keys are an object`);
  return sortedEntries(keys);
}

function parseJson(element: PathElement): JsonValue {
  let value: JsonValue;
  try {
    // The server, too, keeps numbers of path elements as floats.
    value = JSON.parse(element.slice(2)) as JsonValue;
  } catch (error) {
    throw new PathElementError(`${quoteGo(element)} is not a path element: what follows the colon is not JSON`, { cause: error });
  }
  // JSON within a string: nothing has checked its depth before.
  if (mayBeDeeper(element, depthMax) && isDeeper(value, depthMax))
    throw new PathElementError(`a path element is nested more than ${depthMax} levels deep`);
  if (mayBeInfinite.test(element) && hasInfinity(value))
    throw new PathElementError(`${quoteGo(element)} is not a path element: a number is out of range`);
  return value;
}

/** As for objects: deeper values overflow the stack when they are compared or printed. */
const depthMax = 1000;
const mayBeInfinite = /\d[eE]|\d{300}/;

function hasInfinity(value: JsonValue): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values<JsonValue>(value as Record<string, JsonValue>).some(hasInfinity);
}

function compareKeys(a: Keys, b: Keys): number {
  for (const [position, [name, value]] of a.entries()) {
    const other = b[position];
    if (other === undefined) return 1;
    const difference = compareBytes(name, other[0]) || compareValues(value, other[1]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareValues(a: JsonValue, b: JsonValue): number {
  const difference = typeRank(a) - typeRank(b);
  if (difference !== 0) return difference;
  if (typeof a === "string" && typeof b === "string") return compareBytes(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isJsonObject(a) && isJsonObject(b)) return compareKeys(sortedEntries(a), sortedEntries(b));
  return Number(a) - Number(b);
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  for (const [position, item] of a.entries()) {
    const other = b[position];
    if (other === undefined) return 1;
    const difference = compareValues(item, other);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const sortedEntries = (object: Readonly<Record<string, JsonValue>>): Keys =>
  Object.entries(object).toSorted(([a], [b]) => compareBytes(a, b));

function typeRank(value: JsonValue): number {
  if (typeof value === "number" || typeof value === "bigint") return 0;
  if (typeof value === "string") return 1;
  if (typeof value === "boolean") return 2;
  if (Array.isArray(value)) return 3;
  return value === null ? 5 : 4;
}

/** Prints a value for messages. */
function printValue(value: JsonValue, integers: boolean): string {
  if (value === null) return "null";
  if (typeof value === "string") return quoteGo(value);
  if (typeof value === "number" || typeof value === "bigint")
    return integers && isInt64(value) ? String(value) : formatGoFloat(Number(value));
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => printValue(item, integers)).join(",")}]`;
  return sortedEntries(value)
    .map(([name, member]) => `${name}=${printValue(member, integers)}`)
    .join("");
}
