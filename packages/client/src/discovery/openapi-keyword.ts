/**
 * Reads one node of an OpenAPI schema keyword by keyword. Unused keywords are dropped; a keyword of the wrong type is an
 * error, so later code can rely on the schema.
 */
import { setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue, Schema } from "@drover/machinery";
import { DiscoveryDocumentError } from "./discovery-error.ts";
import { listField, objectField, textField, textListField } from "./document-field.ts";

/** Converts nested nodes to schemas. */
export type ReadChild = (node: JsonObject) => Schema;
type Read = (value: JsonValue, place: string, child: ReadChild) => unknown;

const number: Read = (value, place) => {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  throw new DiscoveryDocumentError(`${place}: expected a number`);
};
const truth: Read = (value, place) => {
  if (typeof value === "boolean") return value;
  throw new DiscoveryDocumentError(`${place}: expected true or false`);
};
const asItIs: Read = (value) => value;
const node: Read = (value, place, child) => child(objectField(value, place));
const nodes: Read = (value, place, child) => listField(value, place).map((entry) => child(objectField(entry, place)));
const nodeOrTruth: Read = (value, place, child) => (typeof value === "boolean" ? value : node(value, place, child));
const nodesByName: Read = (value, place, child) => {
  const properties: Record<string, Schema> = {};
  for (const [name, entry] of Object.entries(objectField(value, place)))
    setOwn(properties, name, child(objectField(entry, `${place}.${name}`)));
  return properties;
};
const rules: Read = (value, place) => listField(value, place).map((rule) => objectField(rule, place));

const keywords: ReadonlyMap<string, Read> = new Map([
  ["type", textField],
  ["format", textField],
  ["title", textField],
  ["description", textField],
  ["pattern", textField],
  ["nullable", truth],
  ["uniqueItems", truth],
  ["exclusiveMinimum", truth],
  ["exclusiveMaximum", truth],
  ["minProperties", number],
  ["maxProperties", number],
  ["minItems", number],
  ["maxItems", number],
  ["minimum", number],
  ["maximum", number],
  ["multipleOf", number],
  ["minLength", number],
  ["maxLength", number],
  ["required", textListField],
  ["enum", listField],
  ["default", asItIs],
  ["example", asItIs],
  ["externalDocs", objectField],
  ["properties", nodesByName],
  ["additionalProperties", nodeOrTruth],
  ["items", node],
  ["allOf", nodes],
  ["anyOf", nodes],
  ["oneOf", nodes],
  ["not", node],
  ["x-kubernetes-preserve-unknown-fields", truth],
  ["x-kubernetes-embedded-resource", truth],
  ["x-kubernetes-int-or-string", truth],
  ["x-kubernetes-list-type", textField],
  ["x-kubernetes-list-map-keys", textListField],
  ["x-kubernetes-map-type", textField],
  ["x-kubernetes-validations", rules],
  ["x-kubernetes-patch-strategy", textField],
  ["x-kubernetes-patch-merge-key", textField],
]);

/** Returns the schema of a node that is not itself a reference; `child` converts nested nodes. `place` names it in errors. */
export function readSchema(source: JsonObject, place: string, child: ReadChild): Schema {
  const schema: Record<string, unknown> = {};
  for (const [keyword, read] of keywords) {
    const value = Object.hasOwn(source, keyword) ? source[keyword] : undefined;
    if (value !== undefined && (value !== null || keyword === "default")) schema[keyword] = read(value, `${keyword} of ${place}`, child);
  }
  return schema;
}
