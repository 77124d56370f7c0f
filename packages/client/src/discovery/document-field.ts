/**
 * Reads fields of the server's documents. Absent and null values are empty, as Go omits them; a value of the wrong type is
 * an error that names its path.
 */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { DiscoveryDocumentError } from "./discovery-error.ts";

/** Returns an object; anything else is an error. */
export function objectField(value: JsonValue | undefined, place: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw wrong(value, place, "an object");
}

/** Returns a list; empty if absent. */
export function listField(value: JsonValue | undefined, place: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw wrong(value, place, "a list");
}

/** Returns a text; empty if absent. */
export function textField(value: JsonValue | undefined, place: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw wrong(value, place, "a text");
}

/** Returns a list of texts. */
export function textListField(value: JsonValue | undefined, place: string): readonly string[] {
  return listField(value, place).map((entry, index) => textField(entry, `${place}[${index}]`));
}

/** Returns a text that must not be empty. */
export function nameField(value: JsonValue | undefined, place: string): string {
  const text = textField(value, place);
  if (text !== "") return text;
  throw new DiscoveryDocumentError(`${place}: must not be empty`);
}

function wrong(value: JsonValue | undefined, place: string, wanted: string): DiscoveryDocumentError {
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : isJsonObject(value) ? "an object" : typeof value;
  return new DiscoveryDocumentError(`${place}: expected ${wanted}, found ${found}`);
}
