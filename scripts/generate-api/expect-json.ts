/** Checks a server's JSON before the generator uses it: a value of an unexpected shape is refused, and the error names its place. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** The value as an object, or an error which names the place. */
export function expectObject(value: JsonValue | undefined, place: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new TypeError(`${place}: expected an object, found ${describe(value)}`);
}

/** The value as a list, or an error which names the place. */
export function expectList(value: JsonValue | undefined, place: string): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${place}: expected a list, found ${describe(value)}`);
}

/** The value as a string, or an error which names the place. */
export function expectString(value: JsonValue | undefined, place: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${place}: expected a string, found ${describe(value)}`);
}

/** The value as a list of strings; a missing list is an empty one. */
export function expectStrings(value: JsonValue | undefined, place: string): readonly string[] {
  return value === undefined ? [] : expectList(value, place).map((item, index) => expectString(item, `${place}[${index}]`));
}

function describe(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return String(value);
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
