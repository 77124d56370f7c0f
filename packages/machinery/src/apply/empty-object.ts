/**
 * What an object of a built-in kind is before anybody has set a field. The server keeps these kinds in structs, some of whose parts are
 * always there: they are not new when a writer puts something into them, so nobody comes to own the part itself.
 */
import { setOwn } from "../json/own.ts";
import type { Schema } from "../schema/schema.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/** The empty object of a built-in kind, for `ApplyScope.emptyObject`; schemas mark parts that are always there by the default `{}`. */
export function emptyObjectOf(schema: Schema, apiVersion: string, kind: string): JsonObject {
  return { apiVersion, kind, ...emptyPart(schema) };
}

function emptyPart({ properties = {}, required = [] }: Schema): JsonObject {
  const part: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    if (isPart(property)) setOwn<JsonValue>(part, name, emptyPart(property));
    // A list or map that must be there is written even when it is empty.
    else if (required.includes(name) && isListOrMap(property)) setOwn<JsonValue>(part, name, null);
  }
  return part;
}

const isPart = ({ type, properties, default: value }: Schema): boolean =>
  type === "object" && properties !== undefined && typeof value === "object" && value !== null;
const isListOrMap = ({ type, additionalProperties }: Schema): boolean =>
  type === "array" || (type === "object" && additionalProperties !== undefined);
