/** Definitions as TypeScript interfaces. */
import { apiVersionOf } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import type { ApiModel, Definition } from "./api-model.ts";
import type { ImportList } from "./import-list.ts";
import { byText, homePath, propertyName } from "./naming.ts";
import type { OpenApiSchema } from "./openapi.ts";
import { fillLines, lineWidth } from "./print-literal.ts";
import { referenceOf } from "./references.ts";

/** Where a type is printed: which file, and with what it may refer to other types. */
export interface TypePlace {
  readonly model: ApiModel;
  readonly path: string;
  readonly imports: ImportList;
}

const machinery = "@drover/machinery";

/** The local name of a type of machinery. */
export const machineryType = (name: string, { imports }: TypePlace): string => imports.use(machinery, name, "machinery");

/** The interface of a definition, or a type alias where it is not an object with fields. */
export function printType(definition: Definition, place: TypePlace): string {
  const { name, schema, known, isKind } = definition;
  if (known.type !== undefined) {
    for (const used of known.uses ?? []) machineryType(used, place);
    return `export type ${name} = ${known.type};\n`;
  }
  if (schema.properties === undefined) return `export type ${name} = ${typeOf(schema, place)};\n`;
  const item = isKind ? listItem(schema, place) : undefined;
  if (item !== undefined) {
    return `export interface ${name} extends ${machineryType("KubeList", place)}<${item}> {\n${identity(definition)}}\n`;
  }
  const fields = Object.entries(schema.properties).filter(([field]) => !isKind || !["apiVersion", "kind", "metadata"].includes(field));
  const head = isKind ? `${identity(definition)}${printMetadata(schema, place)}` : "";
  return `export interface ${name} {\n${head}${printFields(fields, schema.required, place)}}\n`;
}

function identity({ home, name }: Definition): string {
  return `  apiVersion?: ${JSON.stringify(apiVersionOf(home))};\n  kind?: ${JSON.stringify(name)};\n`;
}

/** The document calls metadata optional; every object has it. */
function printMetadata(schema: OpenApiSchema, place: TypePlace): string {
  const metadata = schema.properties?.metadata;
  return metadata === undefined ? "" : `  metadata: ${typeOf(metadata, place)};\n`;
}

/** The type of the items when the schema is that of a list of objects. */
function listItem({ properties }: OpenApiSchema, place: TypePlace): string | undefined {
  const metadata = properties?.metadata;
  const reference = metadata === undefined ? undefined : referenceOf(metadata);
  if (reference === undefined || place.model.definition(reference).known.machinery !== "ListMeta") return undefined;
  const item = properties?.items?.items;
  return item === undefined ? undefined : typeOf(item, place);
}

function printFields(fields: readonly (readonly [string, OpenApiSchema])[], required: readonly string[] = [], place: TypePlace): string {
  return fields.toSorted(([a], [b]) => byText(a, b)).map(([name, schema]) => {
    const start = `  ${propertyName(name)}${required.includes(name) ? "" : "?"}:`;
    return `${wrapUnion(`${start} ${typeOf(schema, place)};`)}\n`;
  }).join("");
}

/** The TypeScript type of the values a schema allows. */
export function typeOf(schema: OpenApiSchema, place: TypePlace): string {
  return schema.nullable === true ? `${bareType(schema, place)} | null` : bareType(schema, place);
}

function bareType(schema: OpenApiSchema, place: TypePlace): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return referencedType(place.model.definition(reference), place);
  if (schema.enum !== undefined) return schema.enum.map(literalType).join(" | ");
  if (schema["x-kubernetes-int-or-string"] === true) return machineryType("IntOrString", place);
  switch (schema.type) {
    case "string": return schema.format === "date-time" ? machineryType("Time", place) : "string";
    case "integer": return schema.format === "int64" ? machineryType("Int64", place) : "number";
    case "number": return "number";
    case "boolean": return "boolean";
    case "array": return `${grouped(typeOf(schema.items ?? {}, place))}[]`;
    case "object": return objectType(schema, place);
    case undefined: default: return "unknown";
  }
}

/** An object for which the document names no fields has none, unless it says that it keeps what it does not know. */
function objectType(schema: OpenApiSchema, place: TypePlace): string {
  const { properties, additionalProperties, required } = schema;
  if (properties !== undefined) return `{ ${printFields(Object.entries(properties), required, place).trim().replaceAll(/\n */g, " ")} }`;
  if (typeof additionalProperties === "object") return `Record<string, ${typeOf(additionalProperties, place)}>`;
  return `Record<string, ${additionalProperties === true || schema["x-kubernetes-preserve-unknown-fields"] === true ? "unknown" : "never"}>`;
}

function referencedType({ home, name, known }: Definition, place: TypePlace): string {
  if (known.machinery !== undefined) return machineryType(known.machinery, place);
  const path = homePath(home);
  // What is a plain record everywhere needs no name of its own.
  if (known.type !== undefined && home.folder === "meta") return known.type;
  return path === place.path ? name : place.imports.use(`../${path}.ts`, name, path);
}

/** A value as a type. Objects and lists do not occur among enums. */
function literalType(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? "number" : JSON.stringify(value);
  throw new TypeError(`an enum holds ${JSON.stringify(value)}, which is no scalar`);
}

const grouped = (type: string): string => (type.includes(" | ") ? `(${type})` : type);

/** A union too long for one line goes on on the next ones. */
function wrapUnion(line: string): string {
  if (line.length <= lineWidth) return line;
  const [first = "", ...rest] = line.split(" | ");
  return [first, ...fillLines(rest, " | ", "    | ")].join("\n");
}
