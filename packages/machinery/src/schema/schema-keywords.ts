/**
 * Schema keywords in the order of the server's Go type, under its field names. Some errors print a whole schema that way, and one
 * rule visits fields in that order.
 */
import { compareBytes } from "../go/byte-text.ts";
import { printGoJson } from "../json/go-json.ts";
import type { UncheckedSchema } from "./schema.ts";

type KeywordKind =
  | "text"
  | "flag"
  | "value"
  | "schema"
  | "schemas"
  | "schemaMap"
  | "schemaOrList"
  | "schemaOrFlag"
  | "schemaOrNames"
  | "docs"
  | "rules";

const keywords: readonly (readonly [goName: string, keyword: keyof UncheckedSchema, kind: KeywordKind])[] = [
  ["ID", "id", "text"],
  ["Schema", "$schema", "text"],
  ["Ref", "$ref", "value"],
  ["Description", "description", "text"],
  ["Type", "type", "text"],
  ["Nullable", "nullable", "flag"],
  ["Format", "format", "text"],
  ["Title", "title", "text"],
  ["Default", "default", "value"],
  ["Maximum", "maximum", "value"],
  ["ExclusiveMaximum", "exclusiveMaximum", "flag"],
  ["Minimum", "minimum", "value"],
  ["ExclusiveMinimum", "exclusiveMinimum", "flag"],
  ["MaxLength", "maxLength", "value"],
  ["MinLength", "minLength", "value"],
  ["Pattern", "pattern", "text"],
  ["MaxItems", "maxItems", "value"],
  ["MinItems", "minItems", "value"],
  ["UniqueItems", "uniqueItems", "flag"],
  ["MultipleOf", "multipleOf", "value"],
  ["Enum", "enum", "value"],
  ["MaxProperties", "maxProperties", "value"],
  ["MinProperties", "minProperties", "value"],
  ["Required", "required", "value"],
  ["Items", "items", "schemaOrList"],
  ["AllOf", "allOf", "schemas"],
  ["OneOf", "oneOf", "schemas"],
  ["AnyOf", "anyOf", "schemas"],
  ["Not", "not", "schema"],
  ["Properties", "properties", "schemaMap"],
  ["AdditionalProperties", "additionalProperties", "schemaOrFlag"],
  ["PatternProperties", "patternProperties", "schemaMap"],
  ["Dependencies", "dependencies", "schemaOrNames"],
  ["AdditionalItems", "additionalItems", "schemaOrFlag"],
  ["Definitions", "definitions", "schemaMap"],
  ["ExternalDocs", "externalDocs", "docs"],
  ["Example", "example", "value"],
  ["XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", "value"],
  ["XEmbeddedResource", "x-kubernetes-embedded-resource", "flag"],
  ["XIntOrString", "x-kubernetes-int-or-string", "flag"],
  ["XListMapKeys", "x-kubernetes-list-map-keys", "value"],
  ["XListType", "x-kubernetes-list-type", "value"],
  ["XMapType", "x-kubernetes-map-type", "value"],
  ["XValidations", "x-kubernetes-validations", "rules"],
];

/** Returns the keywords in use, under the server's field names: an empty text and a false flag count as absent, an empty list does not. */
export function usedKeywords(schema: UncheckedSchema): string[] {
  return keywords.filter(([, keyword, kind]) => isUsed(schema[keyword], kind)).map(([goName]) => goName);
}

function isUsed(value: unknown, kind: KeywordKind): boolean {
  return value !== undefined && value !== null && !(kind === "text" && value === "") && !(kind === "flag" && value === false);
}

/** Prints a schema as the server does in errors: every field of its Go type, in order. */
export function printInternalSchema(schema: UncheckedSchema): string {
  return struct(keywords.map(([goName, keyword, kind]) => [goName, printKeyword(schema[keyword] ?? undefined, kind)]));
}

/** Prints the keyword `items` as the server does. */
export function printInternalItems(items: UncheckedSchema | readonly UncheckedSchema[]): string {
  const list = isList(items);
  return struct([
    ["Schema", list ? "null" : printInternalSchema(items)],
    ["JSONSchemas", list ? printSchemas(items) : "null"],
  ]);
}

function printKeyword(value: unknown, kind: KeywordKind): string {
  if (value === undefined) return kind === "text" ? '""' : kind === "flag" ? "false" : "null";
  switch (kind) {
    case "text":
    case "flag":
    case "value":
      return printGoJson(value);
    case "schema":
      return printInternalSchema(value as UncheckedSchema);
    case "schemas":
      return printSchemas(value as readonly UncheckedSchema[]);
    case "schemaMap":
      return printMap(value as Readonly<Record<string, UncheckedSchema>>, printInternalSchema);
    case "schemaOrList":
      return printInternalItems(value as UncheckedSchema | readonly UncheckedSchema[]);
    case "schemaOrFlag":
      return struct([
        ["Allows", String(value !== false)],
        ["Schema", typeof value === "object" ? printInternalSchema(value as UncheckedSchema) : "null"],
      ]);
    case "schemaOrNames":
      return printMap(value as Readonly<Record<string, UncheckedSchema | readonly string[]>>, printDependency);
    case "docs": {
      const { description = "", url = "" } = value as NonNullable<UncheckedSchema["externalDocs"]>;
      return struct([
        ["Description", printGoJson(description)],
        ["URL", printGoJson(url)],
      ]);
    }
    case "rules":
    default:
      return `[${(value as NonNullable<UncheckedSchema["x-kubernetes-validations"]>).map(printInternalRule).join(",")}]`;
  }
}

function printDependency(value: UncheckedSchema | readonly string[]): string {
  return struct([
    ["Schema", isList(value) ? "null" : printInternalSchema(value)],
    ["Property", isList(value) ? printGoJson(value) : "null"],
  ]);
}

function printInternalRule({
  rule,
  message = "",
  messageExpression = "",
  reason,
  fieldPath = "",
  optionalOldSelf,
}: NonNullable<UncheckedSchema["x-kubernetes-validations"]>[number]): string {
  return struct([
    ["Rule", printGoJson(rule)],
    ["Message", printGoJson(message)],
    ["MessageExpression", printGoJson(messageExpression)],
    ["Reason", printGoJson(reason ?? null)],
    ["FieldPath", printGoJson(fieldPath)],
    ["OptionalOldSelf", printGoJson(optionalOldSelf ?? null)],
  ]);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

const printSchemas = (schemas: readonly UncheckedSchema[]): string => `[${schemas.map(printInternalSchema).join(",")}]`;

function printMap<T>(map: Readonly<Record<string, T>>, print: (value: T) => string): string {
  return struct(
    Object.entries(map)
      .toSorted(([a], [b]) => compareBytes(a, b))
      .map(([key, value]) => [key, print(value)]),
  );
}

const struct = (fields: readonly (readonly [name: string, text: string])[]): string =>
  `{${fields.map(([name, text]) => `${printGoJson(name)}:${text}`).join(",")}}`;
