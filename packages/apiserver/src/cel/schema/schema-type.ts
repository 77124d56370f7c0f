/**
 * The type of the data that a schema describes, and its maximum size.
 *
 *     Schema → schemaType → SchemaType;   SchemaType, a name → celType → CelType
 */
import { byteLength, getOwn } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
} from "../check/cel-type.ts";
import type { CelType } from "../check/cel-type.ts";
import { escapeProperty } from "./property-name.ts";

/** The request size limit, which bounds all sizes. */
export const requestBytesMax: number = 3 * 1024 * 1024;

export interface SchemaType {
  /** Set for types without parts. */
  readonly scalar?: CelType;
  /** By escaped name. */
  readonly fields?: ReadonlyMap<string, SchemaType>;
  readonly element?: SchemaType;
  readonly isMap?: boolean;
  /** Maximum number of items, entries or characters; 0 for types without a size. */
  readonly maxElements: number;
  /** Minimum size as JSON. */
  readonly minBytes: number;
}

const text: Schema = { type: "string" };

/** Adds the fields of every object; rules at the root of an object see them, whatever the schema says. */
export function withObjectFields(schema: Schema): Schema {
  const { properties = {} } = schema;
  const typeOf = (name: string): string | undefined => getOwn(properties, name)?.type;
  const meta = getOwn(properties, "metadata");
  const isComplete =
    typeOf("kind") === "string" &&
    typeOf("apiVersion") === "string" &&
    meta?.type === "object" &&
    meta.properties?.["name"]?.type === "string" &&
    meta.properties["generateName"]?.type === "string";
  return isComplete
    ? schema
    : {
        ...schema,
        properties: {
          ...properties,
          kind: text,
          apiVersion: text,
          metadata: { type: "object", properties: { name: text, generateName: text } },
        },
      };
}

/** Returns the type of a schema's data; undefined for data that expressions cannot access. */
export function schemaType(schema: Schema, isRoot: boolean): SchemaType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return {
      scalar: dynType,
      minBytes: 1,
      maxElements: schema.maxLength === undefined ? requestBytesMax - 2 : Math.max(schema.maxLength, 0) * 4,
    };
  }
  switch (schema.type) {
    case "array":
      return arrayType(schema);
    case "object":
      return objectType(isRoot ? withObjectFields(schema) : schema);
    case "string":
      return textType(schema);
    case "boolean":
      return { scalar: boolType, maxElements: 0, minBytes: 4 };
    case "number":
      return { scalar: doubleType, maxElements: 0, minBytes: 1 };
    case "integer":
      return { scalar: intType, maxElements: 0, minBytes: 1 };
    case undefined:
    default:
      return undefined;
  }
}

const isEmbedded = (schema: Schema): boolean => schema["x-kubernetes-embedded-resource"] === true;

function arrayType({ items, maxItems }: Schema): SchemaType | undefined {
  const element = items === undefined ? undefined : schemaType(items, isEmbedded(items));
  if (element === undefined) return undefined;
  const maxElements = maxItems === undefined ? Math.floor((requestBytesMax - 2) / (element.minBytes + 1)) : Math.max(maxItems, 0);
  return { element, maxElements, minBytes: 2 };
}

function objectType({ properties = {}, additionalProperties, required = [], maxProperties }: Schema): SchemaType | undefined {
  if (typeof additionalProperties === "object") {
    const element = schemaType(additionalProperties, isEmbedded(additionalProperties));
    if (element === undefined) return undefined;
    const maxElements =
      maxProperties === undefined ? Math.floor((requestBytesMax - 2) / (element.minBytes + 6)) : Math.max(maxProperties, 0);
    return { element, isMap: true, maxElements, minBytes: 2 };
  }
  const fields = new Map<string, SchemaType>();
  let minBytes = 2;
  for (const [name, property] of Object.entries(properties)) {
    const type = schemaType(property, isEmbedded(property));
    if (type === undefined) continue;
    const escaped = escapeProperty(name);
    if (escaped !== undefined) fields.set(escaped, type);
    if (required.includes(name) && property.default === undefined) minBytes += byteLength(name) + type.minBytes + 4;
  }
  return { fields, maxElements: 0, minBytes };
}

function textType({ format, maxLength, enum: values = [] }: Schema): SchemaType {
  const unlimited = requestBytesMax - 2;
  switch (format) {
    case "byte":
      return { scalar: bytesType, minBytes: 2, maxElements: maxLength === undefined ? unlimited : Math.max(maxLength, 0) };
    case "duration":
      return { scalar: durationType, minBytes: 3, maxElements: 32 };
    case "date":
      return { scalar: timestampType, minBytes: 12, maxElements: 12 };
    case "date-time":
      return { scalar: timestampType, minBytes: 21, maxElements: 32 };
    case undefined:
    default: {
      const longest = values.reduce<number>((max, value) => (typeof value === "string" ? Math.max(max, byteLength(value)) : max), 0);
      return {
        scalar: stringType,
        minBytes: 2,
        maxElements: maxLength !== undefined ? Math.max(maxLength, 0) * 4 : values.length > 0 ? longest : unlimited,
      };
    }
  }
}

/** Returns the CEL type. Objects are named after their path, starting with the given name. */
export function celType({ scalar, fields, element, isMap = false }: SchemaType, name: string): CelType {
  if (scalar !== undefined) return scalar;
  if (fields !== undefined)
    return structType(name, new Map(Array.from(fields, ([field, type]) => [field, celType(type, `${name}.${field}`)])));
  const inner = element === undefined ? dynType : celType(element, `${name}.${isMap ? "@elem" : "@idx"}`);
  return isMap ? mapType(stringType, inner) : listType(inner);
}

/** Returns the type at a path below `root`. */
export function typeAt(root: SchemaType, path: readonly string[]): SchemaType | undefined {
  let type: SchemaType | undefined = root;
  for (const step of path) {
    if (step === "@items" || step === "@values") type = type?.element;
    else if (step === "@keys") type = type?.isMap === true ? { scalar: stringType, maxElements: 0, minBytes: 2 } : undefined;
    else type = type?.fields?.get(step);
  }
  return type;
}
