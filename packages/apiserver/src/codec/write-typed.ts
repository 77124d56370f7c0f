/**
 * Writes a value as Go would after reading it into its type: empty fields are omitted or written as the type says, and every
 * value has its canonical form.
 *
 *     JSON value, Shape → writeStruct → new JSON value
 *
 * This is also the fast path of reading. It handles only expected values; at the first surprise (an unknown field, a number
 * instead of a string) it marks the tally, and `read-typed.ts` reads the text exactly.
 */
import { compareBytes, isJsonObject, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isCanonicalBase64 } from "./base64.ts";
import { writeOwn } from "./own-values.ts";
import { zeroOfOwn } from "@drover/api/shapes";
import type { Shape, ShapeField, StructShape } from "@drover/api/shapes";
import type { Tally } from "./tally.ts";

/** Writes a struct into `into`. The result shares nothing with the value. */
export function writeStruct(value: JsonObject, shape: StructShape, tally: Tally, into: JsonObject = {}): JsonObject {
  let known = 0;
  for (const field of shape.fields) {
    const given = value[field.name];
    if (given !== undefined) known++;
    if (given === undefined || given === null) writeZero(field, tally, into);
    else writeField(given, field, tally, into);
  }
  const all = Object.keys(value).length;
  tally.keys += all;
  if (all !== known) tally.surprised = true;
  return into;
}

function writeField(given: JsonValue, { name, shape, pointer, omit }: ShapeField, tally: Tally, into: JsonObject): void {
  const written = writeValue(given, shape, tally);
  // A pointer whose value writes as null would be read back as nil, so it counts as nil.
  const isNone = pointer ? written === null : isEmpty(written, shape, omit);
  if (!isNone) into[name] = written;
  else if (omit === "never") into[name] = tally.isStoring && (shape.kind === "list" || shape.kind === "map") ? null : written;
  // An explicitly empty managedFields clears them, unlike an absent one.
  else if (name === "managedFields" && !tally.isStoring) into[name] = written;
  else if (shape.kind === "map") tally.emptiedMap = true;
}

function writeZero({ name, shape, pointer, omit }: ShapeField, tally: Tally, into: JsonObject): void {
  if (pointer) {
    if (omit === "never") into[name] = null;
    return;
  }
  const isAlways = omit === "never" || shape.kind === "struct" || (shape.kind === "own" && omit === "empty");
  if (isAlways) into[name] = zeroOf(shape, tally);
}

/** Whether a non-pointer field counts as empty. A struct never does; a type with its own marshaller only if zero. */
function isEmpty(written: JsonValue, shape: Shape, omit: ShapeField["omit"]): boolean {
  switch (shape.kind) {
    case "struct":
      return false;
    case "own":
      return omit === "empty-or-zero" && written === null;
    case "list":
      return Array.isArray(written) && written.length === 0;
    case "map":
      return isJsonObject(written) && Object.keys(written).length === 0;
    case "string":
    case "bytes":
      return written === "";
    case "bool":
      return written === false;
    case "int32":
    case "int64":
    case "float64":
    default:
      return written === 0;
  }
}

/** Writes a value other than null. If it does not fit, the tally is marked and the result is meaningless. */
function writeValue(value: JsonValue, shape: Shape, tally: Tally): JsonValue {
  switch (shape.kind) {
    case "string":
      return typeof value === "string" ? value : surprise(tally);
    case "struct":
      return isJsonObject(value) ? writeStruct(value, shape, tally) : surprise(tally);
    case "list":
      return Array.isArray(value) ? writeList(value, shape.item, tally) : surprise(tally);
    case "map":
      return isJsonObject(value) ? writeMap(value, shape.item, tally) : surprise(tally);
    case "bool":
      return typeof value === "boolean" ? value : surprise(tally);
    case "int32":
      return typeof value === "number" && (value | 0) === value ? value | 0 : surprise(tally);
    case "int64":
      return Number.isSafeInteger(value) ? (value as number) + 0 : typeof value === "bigint" ? value : surprise(tally);
    case "float64":
      return typeof value === "number" ? value : surprise(tally);
    case "bytes":
      return typeof value === "string" && isCanonicalBase64(value) ? value : surprise(tally);
    case "own":
    default:
      return writeOwn(value, shape, tally, writeStruct);
  }
}

function writeList(items: readonly JsonValue[], item: Shape, tally: Tally): JsonValue[] {
  const result: JsonValue[] = [];
  for (const value of items) result.push(value === null ? zeroOf(item, tally) : writeValue(value, item, tally));
  // `countKeys` cannot see whether a number in a list was written as `1.0`.
  if (items.length > 0 && (item.kind === "int32" || item.kind === "int64")) tally.listedIntegers = true;
  return result;
}

function writeMap(entries: JsonObject, item: Shape, tally: Tally): JsonObject {
  const result: JsonObject = {};
  for (const key of sortedKeys(entries)) {
    const value = entries[key] ?? null;
    setOwn(result, key, value === null ? zeroOfEntry(item, tally) : writeValue(value, item, tally));
    tally.keys++;
  }
  return result;
}

/** A null entry stays null until it comes back from the store, which keeps only the key: then it is empty bytes. */
const zeroOfEntry = (item: Shape, tally: Tally): JsonValue => (item.kind === "bytes" && tally.isStoring ? "" : zeroOf(item, tally));

/** Go writes maps sorted by key. Most already are, so check before sorting. */
function sortedKeys(entries: JsonObject): string[] {
  const keys = Object.keys(entries);
  return keys.every((key, index) => index === 0 || compareBytes(keys[index - 1] ?? "", key) < 0) ? keys : keys.toSorted(compareBytes);
}

function zeroOf(shape: Shape, tally: Tally): JsonValue {
  switch (shape.kind) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float64":
      return 0;
    case "struct":
      return writeStruct({}, shape, tally);
    case "own":
      return zeroOfOwn(shape.name);
    case "bytes":
    case "list":
    case "map":
    default:
      return null;
  }
}

function surprise(tally: Tally): null {
  tally.surprised = true;
  return null;
}
