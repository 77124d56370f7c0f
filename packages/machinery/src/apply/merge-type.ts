/**
 * How values of a kind are merged: which lists are sets or have keys, which objects are atomic, which fields exist. Derived from
 * the schemas of built-in kinds and custom resources, lazily, along the walked values.
 *
 *     Schema → MergeType → toFieldSet, compareTyped, mergeTyped, removeItems …
 */
import { compareBytes } from "../go/byte-text.ts";
import { getOwn } from "../json/own.ts";
import type { Schema } from "../schema/schema.ts";
import type { JsonValue } from "../json/json-value.ts";
import { elementJson, fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";

/** Type of a scalar. */
export type ScalarType = "numeric" | "string" | "boolean" | "untyped";

/** Allowed forms of a value; free-form values may have all three. */
export interface MergeType {
  readonly scalar?: ScalarType;
  readonly list?: ListType;
  readonly map?: MapType;
}

/** Which of a type's forms a value has: its own, or the type's first for a null and for a value that does not fit. */
export type MergeForm = "map" | "scalar" | "list";

/** A list: atomic, or owned item by item. */
export interface ListType {
  readonly atomic: boolean;
  /** Key fields of items, in byte order; none for a set and for an atomic list. */
  readonly keys: readonly ListKey[];
  /** Their names in schema order, for messages. */
  readonly keyNames: readonly string[];
  readonly items: () => MergeType;
}

/** A key field of list items. */
export interface ListKey {
  readonly name: string;
  /** Its start within a path element. */
  readonly json: string;
}

/** A field that an object's schema names. */
export interface FieldType {
  /** Path element of the field. */
  readonly element: PathElement;
  readonly type: MergeType;
  readonly default: JsonValue | undefined;
}

/** An object: atomic, or owned field by field. */
export interface MapType {
  readonly atomic: boolean;
  /** Returns a field that the schema names. */
  readonly field: (name: string) => FieldType | undefined;
  /** Returns the type of unnamed fields; undefined when there may be none. */
  readonly entries: () => MergeType | undefined;
  /** Whether nothing is known about the fields, so that schema changes cannot be detected. */
  readonly freeForm: () => boolean;
}

/** Returns the form in which a type handles a value. */
export function formOf({ scalar, list, map }: MergeType, value: JsonValue): MergeForm {
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value)) {
      if (list !== undefined) return "list";
    } else if (map !== undefined) return "map";
  } else if (value !== null && scalar !== undefined) return "scalar";
  return defaultForm({ scalar, list, map });
}

/** Returns the form in which a type handles a value of none of its forms. */
export const defaultForm = ({ scalar, map }: { readonly [K in keyof MergeType]: MergeType[K] | undefined }): MergeForm =>
  map !== undefined ? "map" : scalar !== undefined ? "scalar" : "list";

/** Returns the type of a field, named or not. */
export const memberType = (map: MapType, name: string): MergeType | undefined => map.field(name)?.type ?? map.entries();

/** Anything; atomic. */
const untypedType: MergeType = {
  scalar: "untyped",
  list: { atomic: true, keys: [], keyNames: [], items: () => untypedType },
  map: { atomic: true, field: () => undefined, entries: () => untypedType, freeForm: () => false },
};

/** Type of values without a schema: objects field by field, lists atomic. */
export const deducedMergeType: MergeType = {
  scalar: "untyped",
  list: { atomic: true, keys: [], keyNames: [], items: () => untypedType },
  map: { atomic: false, field: () => undefined, entries: () => deducedMergeType, freeForm: () => true },
};

/** Returns the type of a built-in kind from its schema. Keep it: it caches the parts of the schema it has read. */
export function builtInMergeType(schema: Schema): MergeType {
  return new MergeTypes(undefined).of(schema, false);
}

/**
 * Returns the type of one version of a custom kind, from its schema and that of ObjectMeta, which it and all embedded resources
 * have as `metadata`. Without a schema everything is deduced.
 */
export function customMergeType(schema: Schema | undefined, objectMeta: Schema): MergeType {
  if (schema === undefined) return new MergeTypes(objectMeta).of({ type: "object" }, false);
  return new MergeTypes(objectMeta).of({ ...schema, "x-kubernetes-embedded-resource": true }, false);
}

const text: Schema = { type: "string" };
const scalarTypes: ReadonlyMap<string, MergeType> = new Map<string, MergeType>([
  ["numeric", { scalar: "numeric" }],
  ["string", { scalar: "string" }],
  ["boolean", { scalar: "boolean" }],
  ["untyped", { scalar: "untyped" }],
]);

/** Reads schemas, each once. Preservation of unknown fields is inherited, so a schema may have two types. */
class MergeTypes {
  readonly #objectMeta: Schema | undefined;
  readonly #strict = new Map<Schema, MergeType>();
  readonly #preserving = new Map<Schema, MergeType>();

  constructor(objectMeta: Schema | undefined) {
    this.#objectMeta = objectMeta;
  }

  of(schema: Schema, inherited: boolean): MergeType {
    const preserving = inherited || schema["x-kubernetes-preserve-unknown-fields"] === true;
    const types = preserving ? this.#preserving : this.#strict;
    const known = types.get(schema);
    if (known !== undefined) return known;
    const type = this.#read(schema, preserving);
    types.set(schema, type);
    return type;
  }

  #read(schema: Schema, preserving: boolean): MergeType {
    // The only free-form objects of built-in kinds are raw extensions, which are atomic.
    if (this.#objectMeta === undefined && isRawExtension(schema)) return untypedType;
    if (this.#objectMeta === undefined && schema.format === "quantity") return scalarType("untyped");
    switch (schema.type) {
      case undefined:
      case "":
        return { scalar: "untyped", list: this.#list(schema, preserving), map: this.#map(schema, preserving) };
      case "object":
        return { map: this.#map(schema, preserving) };
      case "array":
        return { list: this.#list(schema, preserving) };
      case "integer":
      case "number":
        return scalarType("numeric");
      case "boolean":
        return scalarType("boolean");
      case "string":
        return scalarType(schema.format === undefined || schema.format === "" || schema.format === "byte" ? "string" : "untyped");
      default:
        return scalarType("untyped");
    }
  }

  #list(schema: Schema, preserving: boolean): ListType {
    const { items } = schema;
    const keys = listKeys(schema);
    let type: MergeType | undefined;
    return {
      atomic: keys === undefined,
      keys: (keys ?? []).toSorted(compareBytes).map((name) => ({ name, json: `${elementJson(name)}:` })),
      keyNames: keys ?? [],
      items: () => (type ??= items === undefined ? untypedType : this.of(items, preserving)),
    };
  }

  #map(schema: Schema, preserving: boolean): MapType {
    const properties = this.#properties(schema);
    const fields = new Map<string, FieldType>();
    const element = entriesSchema(schema, properties, preserving);
    let type: MergeType | undefined;
    const entries = (): MergeType | undefined =>
      element === undefined ? undefined : (type ??= element === "deduced" ? deducedMergeType : this.of(element, preserving));
    const field = (name: string): FieldType | undefined => {
      const known = fields.get(name);
      if (known !== undefined) return known;
      const property = getOwn(properties, name);
      // Unnamed fields are not cached: users can invent any number of them.
      if (property === undefined) return undefined;
      const own = name === "metadata" && property === this.#objectMeta;
      const read = { element: fieldElement(name), type: this.of(property, own ? false : preserving), default: property.default };
      fields.set(name, read);
      return read;
    };
    const freeForm = (): boolean =>
      Object.keys(properties).length === 0 &&
      (element === "deduced" || (this.#objectMeta !== undefined && entries()?.scalar === "untyped"));
    return { atomic: schema["x-kubernetes-map-type"] === "atomic", field, entries, freeForm };
  }

  #properties(schema: Schema): Readonly<Record<string, Schema>> {
    if (this.#objectMeta === undefined || schema["x-kubernetes-embedded-resource"] !== true) return schema.properties ?? {};
    return { ...schema.properties, apiVersion: text, kind: text, metadata: this.#objectMeta };
  }
}

const scalarType = (scalar: ScalarType): MergeType => scalarTypes.get(scalar) ?? { scalar };

function entriesSchema(
  { additionalProperties }: Schema,
  properties: Readonly<Record<string, Schema>>,
  preserving: boolean,
): Schema | "deduced" | undefined {
  if (additionalProperties === undefined) return preserving || Object.keys(properties).length === 0 ? "deduced" : undefined;
  if (typeof additionalProperties === "object") return additionalProperties;
  return additionalProperties ? "deduced" : undefined;
}

/** Key fields of items, none for a set, undefined for an atomic list. */
function listKeys(schema: Schema): readonly string[] | undefined {
  const listType = schema["x-kubernetes-list-type"];
  if (listType !== undefined)
    return listType === "map" ? (schema["x-kubernetes-list-map-keys"] ?? []) : listType === "set" ? [] : undefined;
  const strategy = schema["x-kubernetes-patch-strategy"];
  if (strategy !== "merge" && strategy !== "merge,retainKeys") return undefined;
  const key = schema["x-kubernetes-patch-merge-key"];
  return key === undefined ? [] : [key];
}

const isRawExtension = ({ type, properties, additionalProperties, "x-kubernetes-preserve-unknown-fields": preserve }: Schema): boolean =>
  type === "object" && preserve === true && properties === undefined && additionalProperties === undefined;
