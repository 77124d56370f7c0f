/**
 * Fields of objects whose type is not known, by path. Every reader has three outcomes: the value, undefined when the path leads
 * nowhere, and an error in client-go's words when something of another type stands on the way or at its end.
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

/** Any object to look into, also one with a type of its own. */
type Content = object;

/** The value at the path. `null` is a value like any other at the end of the path, and an end of the way before it. */
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

/** The text at the path. */
export function nestedString(object: Content, ...path: string[]): string | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined || typeof value === "string") return value;
  throw accessorError(path, value, "string");
}

/** The truth value at the path. */
export function nestedBool(object: Content, ...path: string[]): boolean | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined || typeof value === "boolean") return value;
  throw accessorError(path, value, "bool");
}

/** The whole number of 64 bits at the path. */
export function nestedInt64(object: Content, ...path: string[]): Int64 | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined) return value;
  if (goType(value) === "int64") return value as Int64;
  throw accessorError(path, value, "int64");
}

/** The number at the path, whole or not. A bigint is given as a number if that loses no digit, and refused otherwise. */
export function nestedNumber(object: Content, ...path: string[]): number | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined || typeof value === "number") return value;
  if (typeof value !== "bigint") throw accessorError(path, value, "float64 or int64");
  if (BigInt(Number(value)) === value) return Number(value);
  throw new TypeError(`${printPath(path)} accessor error: int64 value ${value} cannot be losslessly converted to float64`);
}

/** The list at the path; shared, not copied. */
export function nestedSlice(object: Content, ...path: string[]): readonly DeepReadonly<JsonValue>[] | undefined {
  const value = nestedField(object, ...path);
  if (value === undefined || Array.isArray(value)) return value as readonly DeepReadonly<JsonValue>[] | undefined;
  throw accessorError(path, value, "[]interface{}");
}

/** The list of texts at the path; shared, not copied. */
export function nestedStringSlice(object: Content, ...path: string[]): readonly string[] | undefined {
  const value = nestedSlice(object, ...path);
  const odd = value?.find((item) => typeof item !== "string");
  if (odd === undefined) return value as readonly string[] | undefined;
  throw accessorError(path, odd, "string", "contains non-string key in the slice: ");
}

/** The object at the path; shared, not copied. */
export function nestedMap(object: Content, ...path: string[]): DeepReadonly<JsonObject> | undefined {
  const value = nestedField(object, ...path) as JsonValue | undefined;
  if (value === undefined || isJsonObject(value)) return value;
  throw accessorError(path, value, "map[string]interface{}");
}

/** The object at the path if all its values are texts; shared, not copied. Read its keys with `getOwn`. */
export function nestedStringMap(object: Content, ...path: string[]): Readonly<Record<string, string>> | undefined {
  const value = nestedMap(object, ...path);
  const odd = value && Object.entries(value).find(([, entry]) => typeof entry !== "string");
  if (odd === undefined) return value as Readonly<Record<string, string>> | undefined;
  throw accessorError(path, odd[1], "string", `contains non-string value in the map under key ${quoteGo(odd[0])}: `);
}

/**
 * Sets a copy of the value at the path of an object that is the caller's own, making the objects on the way. Throws, and sets nothing,
 * when something else than an object stands there.
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

/** Removes the field at the path of an object that is the caller's own, if it is there. */
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
