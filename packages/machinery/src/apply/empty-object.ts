/**
 * An object of a built-in kind before any field is set. The server keeps these kinds in structs, some of whose parts always exist:
 * they are not new when a writer sets something in them, so no manager owns the part itself.
 */
import { setOwn } from "../json/own.ts";
import type { Schema } from "../schema/schema.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/** Returns the empty object of a built-in kind, for `ApplyScope.emptyObject`; schemas mark parts that always exist by the default `{}`. */
export function emptyObjectOf(schema: Schema, apiVersion: string, kind: string): JsonObject {
  return { apiVersion, kind, ...emptyPart(schema) };
}

function emptyPart({ properties = {}, required = [] }: Schema): JsonObject {
  const part: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    if (isPart(property)) setOwn<JsonValue>(part, name, emptyPart(property));
    // A required list or map is written even when it is empty.
    else if (required.includes(name) && isListOrMap(property)) setOwn<JsonValue>(part, name, null);
  }
  return part;
}

const isPart = ({ type, properties, default: value }: Schema): boolean =>
  type === "object" && properties !== undefined && typeof value === "object" && value !== null;
const isListOrMap = ({ type, additionalProperties }: Schema): boolean =>
  type === "array" || (type === "object" && additionalProperties !== undefined);
