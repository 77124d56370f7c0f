/**
 * Fields of untyped objects by path. Every getter returns the value, returns undefined when the path does not exist, or throws in
 * client-go's words when a value on the path or at its end has another type.
 *
 *     nestedInt64(object, "spec", "replicas")
 *
 * Path elements are keys of objects, not expressions: lists cannot be entered, and a key with a dot is one key.
 */
import { quoteGo } from "../go/go-quote.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { goType, printGo } from "../json/go-print.ts";
import type { Int64 } from "./object.ts";
import { getOwn, setOwn } from "../json/own.ts";
import { deepCopy } from "../json/readonly.ts";
import type { DeepReadonly } from "../json/readonly.ts";

/** Any object, typed or not. */
type Content = object;

/** Returns the value at the path. `null` is a value at the end of the path and ends the search before it. */
export function nestedField(object: Content, ...path: string[]): DeepReadonly<JsonValue> | undefined {
  let value = object as JsonValue;
  for (const [index, field] of path.entries()) {
    if (value === null) return undefined;
    if (!isJsonObject(value)) throw accessorError(path.slice(0, index + 1), value, "map[string]interface{}");
    const next = getOwn(value, field);
    if (next === undefined) return undefined;
    value = next;
  }
  return value;
}

/** Returns the string at the path. */
export function nestedString(object: Content, ...path: string[]): string | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined || typeof value === "string") return value;
  throw accessorError(path, value, "string");
}

/** Returns the boolean at the path. */
export function nestedBool(object: Content, ...path: string[]): boolean | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined || typeof value === "boolean") return value;
  throw accessorError(path, value, "bool");
}

/** Returns the 64-bit integer at the path. */
export function nestedInt64(object: Content, ...path: string[]): Int64 | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined) return value;
  if (goType(value) === "int64") return value as Int64;
  throw accessorError(path, value, "int64");
}

/** Returns the number at the path. Converts a bigint if that loses no digit, and throws otherwise. */
export function nestedNumber(object: Content, ...path: string[]): number | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined || typeof value === "number") return value;
  if (typeof value !== "bigint") throw accessorError(path, value, "float64 or int64");
  if (BigInt(Number(value)) === value) return Number(value);
  throw new TypeError(`${printPath(path)} accessor error: int64 value ${value} cannot be losslessly converted to float64`);
}

/** Returns the list at the path; shared, not copied. */
export function nestedSlice(object: Content, ...path: string[]): readonly DeepReadonly<JsonValue>[] | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined || Array.isArray(value)) return value as readonly DeepReadonly<JsonValue>[] | undefined;
  throw accessorError(path, value, "[]interface{}");
}

/** Returns the list of strings at the path; shared, not copied. */
export function nestedStringSlice(object: Content, ...path: string[]): readonly string[] | undefined {
  const value = nestedSlice(object, ...path);
  const odd = value?.find((item) => typeof item !== "string");
  if (odd === undefined) return value as readonly string[] | undefined;
  throw accessorError(path, odd, "string", "contains non-string key in the slice: ");
}

/** Returns the object at the path; shared, not copied. */
export function nestedMap(object: Content, ...path: string[]): DeepReadonly<JsonObject> | undefined {
  const value = nestedField(object, ...path) as JsonValue | undefined;
  if (value === undefined || isJsonObject(value)) return value;
  throw accessorError(path, value, "map[string]interface{}");
}

/** Returns the object at the path if all its values are strings; shared, not copied. Read its keys with `getOwn`. */
export function nestedStringMap(object: Content, ...path: string[]): Readonly<Record<string, string>> | undefined {
  const value = nestedMap(object, ...path);
  const odd = value && Object.entries(value).find(([, entry]) => typeof entry !== "string");
  if (odd === undefined) return value as Readonly<Record<string, string>> | undefined;
  throw accessorError(path, odd[1], "string", `contains non-string value in the map under key ${quoteGo(odd[0])}: `);
}

/**
 * Sets a copy of the value at the path of an object that the caller owns, creating objects on the way. Throws, and sets nothing,
 * when another type is in the way.
 */
export function setNestedField(object: Content, value: DeepReadonly<JsonValue>, ...path: string[]): void {
  const last = lastOf(path);
  let parent = object as JsonObject;
  for (const [index, field] of path.slice(0, -1).entries()) {
    let child = getOwn(parent, field);
    if (child === undefined) setOwn(parent, field, (child = {}));
    else if (!isJsonObject(child))
      throw new TypeError(`value cannot be set because ${printPath(path.slice(0, index + 1))} is not a map[string]interface{}`);
    parent = child;
  }
  setOwn(parent, last, deepCopy(value));
}

/** Removes the field at the path of an object that the caller owns, if it exists. */
export function removeNestedField(object: Content, ...path: string[]): void {
  const last = lastOf(path);
  let parent = object as JsonObject;
  for (const field of path.slice(0, -1)) {
    const child = getOwn(parent, field);
    if (!isJsonObject(child)) return;
    parent = child;
  }
  if (Object.hasOwn(parent, last)) delete parent[last];
}

function lastOf(path: readonly string[]): string {
  const last = path.at(-1);
  if (last === undefined) throw new TypeError("a path to a field needs at least one key");
  return last;
}

function accessorError(path: readonly string[], value: DeepReadonly<JsonValue>, expected: string, where = ""): TypeError {
  return new TypeError(
    `${printPath(path)} accessor error: ${where}${printGo(value)} is of the type ${goType(value)}, expected ${expected}`,
  );
}

const printPath = (path: readonly string[]): string => `.${path.join(".")}`;
