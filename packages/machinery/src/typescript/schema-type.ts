/**
 * Schemas as TypeScript types.
 *
 *     { type: "array", items: { enum: ["a", "b"] } } → typeText → ("a" | "b")[]
 *
 * The scope decides which types are named: built-in kinds refer to definitions, custom ones are written out.
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
  /** Returns the named type of a schema; undefined when it is written out. */
  readonly named: (schema: PrintedSchema) => string | undefined;
  /** Returns the local name of a machinery type. */
  readonly machinery: (name: string) => string;
  /** Writes an object with arbitrary keys. @default "Record<string, T>" */
  readonly record?: (values: string) => string;
  /** Whether a field with a default is optional: it may be missing when written, and never is when read. @default "optional" */
  readonly defaults?: "optional" | "present";
}

/** Returns the type of the values a schema allows. Throws a TypeError for an enum of objects or lists. */
export function typeText(schema: PrintedSchema, scope: TypeScope): string {
  const type = bareType(schema, scope);
  return schema.nullable === true && schema.enum?.includes(null) !== true ? `${type} | null` : type;
}

/** Prints the fields of an object by name, one per line, with descriptions above them. */
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

/** An object without named fields is empty, unless it preserves unknown fields. */
function objectType(schema: PrintedSchema, scope: TypeScope): string {
  const { properties, additionalProperties, required = [] } = schema;
  const { record = (values) => `Record<string, ${values}>` } = scope;
  if (properties !== undefined) return `{ ${printFields(Object.entries(properties), required, scope).trim().replaceAll(/\n */g, " ")} }`;
  if (typeof additionalProperties === "object") return record(typeText(additionalProperties, scope));
  return record(additionalProperties === true || schema["x-kubernetes-preserve-unknown-fields"] === true ? "unknown" : "never");
}

/** A value as a type. Objects and lists do not occur in enums. */
function literalType(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? "number" : JSON.stringify(value);
  throw new TypeError(`an enum holds ${JSON.stringify(value)}, which is not a scalar`);
}

const grouped = (type: string): string => (type.includes(" | ") ? `(${type})` : type);

/** Wraps a union that is too long for one line; ignores what looks like a union within quotes. */
function wrapUnion(line: string): string {
  if (line.length <= lineWidth) return line;
  const [first = "", ...rest] = line.replaceAll(/("(?:[^"\\]|\\.)*")| \| /g, (_, quoted: string | undefined) => quoted ?? "\n").split("\n");
  return [first, ...fillLines(rest, " | ", "    | ")].join("\n");
}
