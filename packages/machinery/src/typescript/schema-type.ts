/**
 * Schemas as types of TypeScript.
 *
 *     { type: "array", items: { enum: ["a", "b"] } } → typeText → ("a" | "b")[]
 *
 * What the values are called that have a name of their own is the affair of the scope: built-in kinds refer to
 * definitions, custom ones have
 * their objects in one piece.
 */
import type { JsonValue } from "../json/json-value.ts";
import { docComment } from "./doc-comment.ts";
import { byText, propertyName } from "./plain-name.ts";
import { fillLines, lineWidth } from "./print-literal.ts";

/** What a type depends on; a `Schema` is one, and so is a schema of an OpenAPI document. */
export interface PrintedSchema {
  readonly $ref?: string;
  readonly allOf?: readonly PrintedSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, PrintedSchema>>;
  readonly additionalProperties?: PrintedSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: PrintedSchema;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
}

/** How types refer to other types. */
export interface TypeScope {
  /** The type with a name of its own that a schema stands for; undefined when it is written out. */
  readonly named: (schema: PrintedSchema) => string | undefined;
  /** The local name of a type of machinery. */
  readonly machinery: (name: string) => string;
  /** How an object with keys of any name is written. @default "Record<string, T>" */
  readonly record?: (values: string) => string;
  /** Whether a field that the server fills in may be missing: it may when written, and never is when read. @default "optional" */
  readonly defaults?: "optional" | "present";
}

/** The type of the values a schema allows. Throws a TypeError for an enum that holds objects or lists. */
export function typeText(schema: PrintedSchema, scope: TypeScope): string {
  const type = bareType(schema, scope);
  return schema.nullable === true && schema.enum?.includes(null) !== true ? `${type} | null` : type;
}

/** The fields of an object, a line for each, by name; prose stands above its field. */
export function printFields(fields: readonly (readonly [string, PrintedSchema])[], required: readonly string[], scope: TypeScope): string {
  return fields
    .toSorted(([a], [b]) => byText(a, b))
    .map(([name, schema]) => {
      const isPresent = required.includes(name) || (scope.defaults === "present" && schema.default !== undefined);
      const line = wrapUnion(`  ${propertyName(name)}${isPresent ? "" : "?"}: ${typeText(schema, scope)};`);
      return `${docComment(schema.description ?? "", "  ")}${line}\n`;
    })
    .join("");
}

function bareType(schema: PrintedSchema, scope: TypeScope): string {
  const named = scope.named(schema);
  if (named !== undefined) return named;
  if (schema.enum !== undefined) return schema.enum.map(literalType).join(" | ");
  if (schema["x-kubernetes-int-or-string"] === true) return scope.machinery("IntOrString");
  switch (schema.type) {
    case "string":
      return schema.format === "date-time" ? scope.machinery("Time") : "string";
    case "integer":
      return schema.format === "int64" ? scope.machinery("Int64") : "number";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `${grouped(typeText(schema.items ?? {}, scope))}[]`;
    case "object":
      return objectType(schema, scope);
    case undefined:
    default:
      return "unknown";
  }
}

/** An object for which nobody names fields has none, unless it says that it keeps what it does not know. */
function objectType(schema: PrintedSchema, scope: TypeScope): string {
  const { properties, additionalProperties, required = [] } = schema;
  const { record = (values) => `Record<string, ${values}>` } = scope;
  if (properties !== undefined) return `{ ${printFields(Object.entries(properties), required, scope).trim().replaceAll(/\n */g, " ")} }`;
  if (typeof additionalProperties === "object") return record(typeText(additionalProperties, scope));
  return record(additionalProperties === true || schema["x-kubernetes-preserve-unknown-fields"] === true ? "unknown" : "never");
}

/** A value as a type. Objects and lists do not occur among enums. */
function literalType(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? "number" : JSON.stringify(value);
  throw new TypeError(`an enum holds ${JSON.stringify(value)}, which is no scalar`);
}

const grouped = (type: string): string => (type.includes(" | ") ? `(${type})` : type);

/** A union too long for one line goes on on the next ones; what looks like a union within quotes is none. */
function wrapUnion(line: string): string {
  if (line.length <= lineWidth) return line;
  const [first = "", ...rest] = line.replaceAll(/("(?:[^"\\]|\\.)*")| \| /g, (_, quoted: string | undefined) => quoted ?? "\n").split("\n");
  return [first, ...fillLines(rest, " | ", "    | ")].join("\n");
}
