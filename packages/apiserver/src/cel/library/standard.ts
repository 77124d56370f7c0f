/** CEL's standard functions and operators, except those that do not evaluate all arguments. */
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { joinLists, printKey } from "../value/collections.ts";
import { compareValues, equalValues } from "../value/compare.ts";
import { checkedInt, checkedUint, toBool, toDouble, toInt, toText, toUint } from "../value/convert.ts";
import { failure, isFailure, noSuchOverload } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { checkedDuration, checkedTimestamp, readDuration, readTimestamp } from "../value/time.ts";
import { duration, kindOf, typeName } from "../value/value.ts";
import type { CelDuration, CelList, CelMap, CelTimestamp, CelUint, CelValue } from "../value/value.ts";

const logic: readonly Overload[] = [
  overload("conditional", "_?_:_(bool, A, A) A"),
  overload("logical_and", "_&&_(bool, bool) bool"),
  overload("logical_or", "_||_(bool, bool) bool"),
  overload("logical_not", "!_(bool) bool", (value: CelValue) => (typeof value === "boolean" ? !value : noSuchOverload)),
  overload("not_strictly_false", "@not_strictly_false(bool) bool"),
  overload("equals", "_==_(A, A) bool", (a: CelValue, b: CelValue) => equalValues(a, b)),
  // Values that cannot be compared are not equal: cel-go asks only whether `==` is true.
  overload("not_equals", "_!=_(A, A) bool", (a: CelValue, b: CelValue) => equalValues(a, b) !== true),
];

/** Integer division, which can fail in two ways. */
const divide = (a: bigint, b: bigint): bigint | CelFailure => (b === 0n ? failure("division by zero") : checkedInt(a / b));
const modulo = (a: bigint, b: bigint): bigint | CelFailure =>
  b === 0n ? failure("modulus by zero") : a === -(2n ** 63n) && b === -1n ? failure("integer overflow") : a % b;

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}

const sums: readonly Overload[] = [
  overload("add_bytes", "_+_(bytes, bytes) bytes", joinBytes),
  overload("add_double", "_+_(double, double) double", (a: number, b: number) => a + b),
  overload("add_duration_duration", "_+_(duration, duration) duration", (a: CelDuration, b: CelDuration) =>
    checkedDuration(a.nanos + b.nanos),
  ),
  overload("add_duration_timestamp", "_+_(duration, timestamp) timestamp", (a: CelDuration, b: CelTimestamp) =>
    checkedTimestamp(a.nanos + b.nanos, b.offsetMinutes),
  ),
  overload("add_timestamp_duration", "_+_(timestamp, duration) timestamp", (a: CelTimestamp, b: CelDuration) =>
    checkedTimestamp(a.nanos + b.nanos, a.offsetMinutes),
  ),
  overload("add_int64", "_+_(int, int) int", (a: bigint, b: bigint) => checkedInt(a + b)),
  overload("add_list", "_+_(list(A), list(A)) list(A)", (a: CelList, b: CelList) => joinLists(a, b)),
  overload("add_string", "_+_(string, string) string", (a: string, b: string) => a + b),
  overload("add_uint64", "_+_(uint, uint) uint", (a: CelUint, b: CelUint) => checkedUint(a.value + b.value)),
  overload("divide_double", "_/_(double, double) double", (a: number, b: number) => a / b),
  overload("divide_int64", "_/_(int, int) int", divide),
  overload("divide_uint64", "_/_(uint, uint) uint", (a: CelUint, b: CelUint) =>
    b.value === 0n ? failure("division by zero") : checkedUint(a.value / b.value),
  ),
  overload("modulo_int64", "_%_(int, int) int", modulo),
  overload("modulo_uint64", "_%_(uint, uint) uint", (a: CelUint, b: CelUint) =>
    b.value === 0n ? failure("modulus by zero") : checkedUint(a.value % b.value),
  ),
  overload("multiply_double", "_*_(double, double) double", (a: number, b: number) => a * b),
  overload("multiply_int64", "_*_(int, int) int", (a: bigint, b: bigint) => checkedInt(a * b)),
  overload("multiply_uint64", "_*_(uint, uint) uint", (a: CelUint, b: CelUint) => checkedUint(a.value * b.value)),
  overload("negate_double", "-_(double) double", (a: number) => -a),
  overload("negate_int64", "-_(int) int", (a: bigint) => checkedInt(-a)),
  overload("subtract_double", "_-_(double, double) double", (a: number, b: number) => a - b),
  overload("subtract_duration_duration", "_-_(duration, duration) duration", (a: CelDuration, b: CelDuration) =>
    checkedDuration(a.nanos - b.nanos),
  ),
  overload("subtract_int64", "_-_(int, int) int", (a: bigint, b: bigint) => checkedInt(a - b)),
  overload("subtract_timestamp_duration", "_-_(timestamp, duration) timestamp", (a: CelTimestamp, b: CelDuration) =>
    checkedTimestamp(a.nanos - b.nanos, a.offsetMinutes),
  ),
  overload("subtract_timestamp_timestamp", "_-_(timestamp, timestamp) duration", (a: CelTimestamp, b: CelTimestamp) =>
    checkedDuration(a.nanos - b.nanos),
  ),
  overload("subtract_uint64", "_-_(uint, uint) uint", (a: CelUint, b: CelUint) => checkedUint(a.value - b.value)),
];

const comparable = [
  "bool, bool",
  "int, int",
  "int, double",
  "int, uint",
  "uint, uint",
  "uint, double",
  "uint, int",
  "double, double",
  "double, int",
  "double, uint",
  "string, string",
  "bytes, bytes",
  "timestamp, timestamp",
  "duration, duration",
] as const;

const compared = (symbol: string, name: string, holds: (order: number) => boolean): Overload[] =>
  comparable.map((types) =>
    overload(`${name}_${types.replace(/, .*/, "")}`, `_${symbol}_(${types}) bool`, (a: CelValue, b: CelValue) => {
      const order = compareValues(a, b);
      return isFailure(order) ? order : holds(order);
    }),
  );

const orders: readonly Overload[] = [
  ...compared("<", "less", (order) => order < 0),
  ...compared("<=", "less_equals", (order) => order <= 0),
  ...compared(">", "greater", (order) => order > 0),
  ...compared(">=", "greater_equals", (order) => order >= 0),
];

/** Returns the item at an index, which may be a double or unsigned when only known at run time. */
export function itemAt(list: CelList, index: CelValue): CelValue | CelFailure {
  const number = typeof index === "object" && index !== null && "kind" in index && index.kind === "uint" ? index.value : index;
  if (typeof number !== "bigint" && typeof number !== "number") return failure(`unsupported index type '${typeName(index)}' in list`);
  if (typeof number === "number" && !Number.isInteger(number)) return failure(`unsupported index value ${printKey(index)} in list`);
  return number >= 0 && number < list.size ? list.at(Number(number)) : failure(`index out of bounds: ${number}`);
}

/** Returns the value at a key. */
export function valueAt(map: CelMap, key: CelValue): CelValue | CelFailure {
  if (map.fromSchema && typeof key !== "string") return noSuchOverload;
  const found = map.find(key);
  return found === undefined ? failure(`no such key: ${printKey(key)}`) : found;
}

/** Whether an item of the list is equal to the value. */
export function isIn(value: CelValue, list: CelList): boolean | CelFailure {
  let failed: CelFailure | undefined;
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    const equal = isFailure(item) ? item : equalValues(item, value);
    if (equal === true) return true;
    if (isFailure(equal) && list.flavour !== "plain") failed ??= equal;
  }
  return failed ?? false;
}

const collections: readonly Overload[] = [
  overload("index_list", "_[_](list(A), int) A", itemAt),
  overload("index_map", "_[_](map(A, B), A) B", valueAt),
  overload("optional_list_index_int", "_[_](optional(list(V)), int) optional(V)"),
  overload("optional_map_index_value", "_[_](optional(map(K, V)), K) optional(V)"),
  overload("in_list", "@in(A, list(A)) bool", isIn),
  overload("in_map", "@in(A, map(A, B)) bool", (key: CelValue, map: CelMap) => {
    const found = map.find(key);
    return isFailure(found) ? found : found !== undefined;
  }),
  ...(["size(bytes) int", "bytes . size() int"] as const).map((signature) =>
    overload("size_bytes", signature, (value: Uint8Array) => BigInt(value.length)),
  ),
  ...(["size(list(A)) int", "list(A) . size() int"] as const).map((signature) =>
    overload("size_list", signature, (value: CelList) => BigInt(value.size)),
  ),
  ...(["size(map(A, B)) int", "map(A, B) . size() int"] as const).map((signature) =>
    overload("size_map", signature, (value: CelMap) => BigInt(value.size)),
  ),
  ...(["size(string) int", "string . size() int"] as const).map((signature) =>
    overload("size_string", signature, (value: string) => BigInt(codePoints(value))),
  ),
];

/** Counts code points. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++)
    if ((text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) count--;
  return count;
}

const identity = (value: CelValue): CelValue => value;
const fromText =
  <T>(read: (text: string) => T | undefined, wanted: string) =>
  (text: string): T | CelFailure =>
    read(text) ?? failure(`type conversion error from 'string' to '${wanted}'`);

const conversions: readonly Overload[] = [
  overload("type", "type(A) type(A)", (value: CelValue) => ({ kind: "type", name: typeName(value) })),
  overload("to_dyn", "dyn(A) dyn", identity),
  overload("bool_to_bool", "bool(bool) bool", identity),
  overload("string_to_bool", "bool(string) bool", toBool),
  overload("bytes_to_bytes", "bytes(bytes) bytes", identity),
  overload("string_to_bytes", "bytes(string) bytes", (text: string) => new TextEncoder().encode(text)),
  ...["double", "int", "string", "uint"].map((type) => overload(`${type}_to_double`, `double(${type}) double`, toDouble)),
  overload("duration_to_duration", "duration(duration) duration", identity),
  overload("int64_to_duration", "duration(int) duration", (nanos: bigint) => duration(nanos)),
  overload("string_to_duration", "duration(string) duration", fromText(readDuration, "google.protobuf.Duration")),
  ...["int", "double", "duration", "string", "timestamp", "uint"].map((type) => overload(`${type}_to_int64`, `int(${type}) int`, toInt)),
  ...["string", "bool", "bytes", "double", "duration", "int", "timestamp", "uint"].map((type) =>
    overload(`${type}_to_string`, `string(${type}) string`, toText),
  ),
  overload("timestamp_to_timestamp", "timestamp(timestamp) timestamp", identity),
  overload("int64_to_timestamp", "timestamp(int) timestamp", (seconds: bigint) => checkedTimestamp(seconds * 1_000_000_000n)),
  overload("string_to_timestamp", "timestamp(string) timestamp", fromText(readTimestamp, "google.protobuf.Timestamp")),
  ...["uint", "double", "int", "string"].map((type) => overload(`${type}_to_uint64`, `uint(${type}) uint`, toUint)),
];

const texts: readonly Overload[] = [
  overload("contains_string", "string . contains(string) bool", (text: string, part: string) => text.includes(part)),
  overload("ends_with_string", "string . endsWith(string) bool", (text: string, end: string) => text.endsWith(end)),
  overload("starts_with_string", "string . startsWith(string) bool", (text: string, start: string) => text.startsWith(start)),
];

/** Whether an operator supports the value's type at all; others fail differently. */
export function hasOperator(name: string, value: CelValue): boolean {
  const kind = kindOf(value);
  switch (name) {
    case "_+_":
      return ["bytes", "double", "duration", "timestamp", "int", "list", "string", "uint"].includes(kind);
    case "_-_":
      return ["double", "duration", "timestamp", "int", "uint"].includes(kind);
    case "_*_":
    case "_/_":
      return ["double", "int", "uint"].includes(kind);
    case "_%_":
      return ["int", "uint"].includes(kind);
    case "_[_]":
      return kind === "list" || kind === "map" || kind === "opaque";
    case "_<_":
    case "_<=_":
    case "_>_":
    case "_>=_":
      return ["bool", "int", "uint", "double", "string", "bytes", "duration", "timestamp"].includes(kind);
    default:
      return false;
  }
}

/** The overloads, in the order they are tried. */
export const standardFunctions: readonly Overload[] = [...logic, ...sums, ...orders, ...collections, ...conversions, ...texts];
