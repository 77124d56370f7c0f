/**
 * Schemas as they are published: keywords in Go's order, and in v2 without those that v2 clients do not support.
 *
 *     Schema → supportedSchema → custom-definition (adds metadata) → printedSchema → JsonObject
 */
import { setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue, Schema, ValidationRule } from "@drover/machinery";
import { sortedObject, sortedValue } from "./json-order.ts";

export type OpenApiVersion = "v2" | "v3";

/** Members that documents have in addition to an author's schema. */
export interface PublishedSchema extends Schema {
  readonly $ref?: string;
  readonly "x-kubernetes-group-version-kind"?: JsonValue;
  readonly "x-kubernetes-selectable-fields"?: JsonValue;
}

/** The order in which keywords are written. */
const keywordOrder = [
  "description",
  "type",
  "nullable",
  "format",
  "title",
  "default",
  "maximum",
  "exclusiveMaximum",
  "minimum",
  "exclusiveMinimum",
  "maxLength",
  "minLength",
  "pattern",
  "maxItems",
  "minItems",
  "uniqueItems",
  "multipleOf",
  "enum",
  "maxProperties",
  "minProperties",
  "required",
  "items",
  "allOf",
  "oneOf",
  "anyOf",
  "not",
  "properties",
  "additionalProperties",
  "externalDocs",
  "example",
  "$ref",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-group-version-kind",
  "x-kubernetes-int-or-string",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-selectable-fields",
  "x-kubernetes-validations",
] as const;
type Keyword = (typeof keywordOrder)[number];

const ruleOrder = ["rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf"] as const;

/** Prints a schema recursively. */
export function printedSchema(schema: PublishedSchema, version: OpenApiVersion): JsonObject {
  const printed: JsonObject = {};
  for (const keyword of keywordOrder) {
    const value = printedKeyword(schema, keyword, version);
    if (value !== undefined) printed[keyword] = value;
  }
  return printed;
}

/** Undefined where Go omits the field: empty, false, null. Numbers are written even if zero. */
function printedKeyword(schema: PublishedSchema, keyword: Keyword, version: OpenApiVersion): JsonValue | undefined {
  const print = printers[keyword];
  if (print !== undefined) return print(schema, version);
  const value = schema[keyword] as JsonValue | undefined;
  return value === false || value === "" ? undefined : value;
}

/** Printers of keywords whose values are not copied. */
const printers: Readonly<Partial<Record<Keyword, (schema: PublishedSchema, version: OpenApiVersion) => JsonValue | undefined>>> = {
  default: (schema, version) => (version === "v2" ? undefined : freeForm(schema.default)),
  enum: (schema) => nonEmpty(schema.enum?.map(sortedValue)),
  required: (schema) => nonEmpty(schema.required),
  items: (schema, version) => (schema.items === undefined ? undefined : printedSchema(schema.items, version)),
  allOf: (schema, version) => nonEmpty(schema.allOf?.map((part) => printedSchema(part, version))),
  oneOf: (schema, version) => nonEmpty(schema.oneOf?.map((part) => printedSchema(part, version))),
  anyOf: (schema, version) => nonEmpty(schema.anyOf?.map((part) => printedSchema(part, version))),
  not: (schema, version) => (schema.not === undefined ? undefined : printedSchema(schema.not, version)),
  properties: (schema, version) => printedProperties(schema.properties, version),
  additionalProperties: ({ additionalProperties: values }, version) =>
    typeof values === "object" ? printedSchema(values, version) : values,
  externalDocs: (schema) => (schema.externalDocs === undefined ? undefined : ordered({ ...schema.externalDocs }, ["description", "url"])),
  example: (schema) => freeForm(schema.example),
  "x-kubernetes-list-map-keys": (schema) => nonEmpty(schema["x-kubernetes-list-map-keys"]),
  "x-kubernetes-validations": (schema, version) => nonEmpty(schema["x-kubernetes-validations"]?.map((rule) => printedRule(rule, version))),
};

const freeForm = (value: JsonValue | undefined): JsonValue | undefined =>
  value === undefined || value === null ? undefined : sortedValue(value);

function printedProperties(properties: Schema["properties"], version: OpenApiVersion): JsonObject | undefined {
  const entries = Object.entries(properties ?? {});
  return entries.length === 0
    ? undefined
    : sortedObject(entries.map(([name, property]) => [name, printedSchema(property, version)] as const));
}

function printedRule(rule: ValidationRule, version: OpenApiVersion): JsonObject {
  const printed = ordered({ ...rule }, ruleOrder);
  return version === "v3" ? printed : sortedObject(Object.entries(printed));
}

function ordered<K extends string>(object: Readonly<Partial<Record<K, JsonValue>>>, keys: readonly K[]): JsonObject {
  const written: JsonObject = {};
  for (const key of keys) {
    const value = object[key];
    if (value !== undefined && value !== "" && value !== false) setOwn(written, key, value);
  }
  return written;
}

const nonEmpty = <T>(list: readonly T[] | undefined): T[] | undefined => (list === undefined || list.length === 0 ? undefined : [...list]);

/** Returns the schema in keywords that the version supports, at this level only. */
export function supportedSchema(schema: Schema, version: OpenApiVersion): Schema {
  return version === "v2" ? withoutUnsupported(schema) : unfolded(schema);
}

const eitherType: readonly Schema[] = [{ type: "integer" }, { type: "string" }];

/** Expands x-kubernetes-int-or-string into plain keywords, unless the author already did. */
function unfolded(schema: Schema): Schema {
  if (schema["x-kubernetes-int-or-string"] !== true || isEither(schema.anyOf) || isEither(schema.allOf?.[0]?.anyOf)) return schema;
  return schema.anyOf === undefined
    ? { ...schema, anyOf: eitherType }
    : { ...schema, allOf: [{ anyOf: eitherType }, ...(schema.allOf ?? [])] };
}

function isEither(parts: readonly Schema[] | undefined): boolean {
  return parts?.length === 2 && parts[0]?.type === "integer" && parts[1]?.type === "string";
}

/** v2 has no junctors and no null, and kubectl refuses fields that a schema allows without naming them. */
function withoutUnsupported(schema: Schema): Schema {
  const { allOf: _allOf, oneOf: _oneOf, anyOf: _anyOf, not: _not, nullable = false, items, properties, type, required, ...kept } = schema;
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true;
  const fields =
    nullable || isOpen ? {} : { ...(items === undefined ? {} : { items }), ...(properties === undefined ? {} : { properties }) };
  const isUntyped = nullable || (type === "array" && fields.items === undefined) || (isOpen && type === "object");
  const mayBeNull = (name: string): boolean =>
    fields.properties !== undefined && Object.hasOwn(fields.properties, name) && fields.properties[name]?.nullable === true;
  const valuesMayBeNull = typeof schema.additionalProperties === "object" && schema.additionalProperties.nullable === true;
  const needed = valuesMayBeNull ? [] : (required ?? []).filter((name) => !mayBeNull(name));
  return { ...kept, ...fields, ...(isUntyped || type === undefined ? {} : { type }), ...(needed.length === 0 ? {} : { required: needed }) };
}
