/**
 * `metadata` as the server decodes it: known fields of the right type, encoded as it would encode them. Unknown and empty fields
 * are removed, times converted to UTC; a field of the wrong type is an error in the words of Go's decoder.
 *
 *     metadata as sent → readObjectMeta → metadata as stored, unknown fields, or an error
 */
import { errorText } from "../error-text.ts";
import { compareBytes } from "../go/byte-text.ts";
import { printGoJson } from "../json/go-json.ts";
import { getOwn, setOwn } from "../json/own.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { canonicalTime } from "../values/time.ts";
import { withField, withoutField } from "./draft.ts";
import { isInt64 } from "../json/go-print.ts";

type Shape =
  | { readonly kind: "string"; readonly type: string }
  | { readonly kind: "int64" }
  | { readonly kind: "bool" }
  | { readonly kind: "time" }
  | { readonly kind: "raw" }
  | { readonly kind: "strings" }
  | { readonly kind: "list"; readonly of: Shape; readonly type: string }
  | StructShape;
interface StructShape {
  readonly kind: "struct";
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldShape>;
}
interface FieldShape {
  readonly shape: Shape;
  /** When the field is written back. */
  readonly presence: "unless empty" | "unless null" | "always";
}

const string: Shape = { kind: "string", type: "string" };
const uid: Shape = { kind: "string", type: "types.UID" };
const unlessEmpty = (kind: "int64" | "strings"): FieldShape => ({ shape: { kind }, presence: "unless empty" });
const unlessNull = (kind: "int64" | "bool" | "time" | "raw"): FieldShape => ({ shape: { kind }, presence: "unless null" });
const text: FieldShape = { shape: string, presence: "unless empty" };
const requiredText: FieldShape = { shape: string, presence: "always" };
const listOf = (of: Shape, type: string): FieldShape => ({ shape: { kind: "list", of, type }, presence: "unless empty" });

const ownerReference: StructShape = {
  kind: "struct",
  name: "OwnerReference",
  fields: new Map([
    ["apiVersion", requiredText],
    ["kind", requiredText],
    ["name", requiredText],
    ["uid", { shape: uid, presence: "always" }],
    ["controller", unlessNull("bool")],
    ["blockOwnerDeletion", unlessNull("bool")],
  ]),
};
const managedFieldsEntry: StructShape = {
  kind: "struct",
  name: "ManagedFieldsEntry",
  fields: new Map([
    ["manager", text],
    ["operation", { shape: { kind: "string", type: "v1.ManagedFieldsOperationType" }, presence: "unless empty" }],
    ["apiVersion", text],
    ["time", unlessNull("time")],
    ["fieldsType", text],
    ["fieldsV1", unlessNull("raw")],
    ["subresource", text],
  ]),
};
const objectMeta: StructShape = {
  kind: "struct",
  name: "ObjectMeta",
  fields: new Map([
    ["name", text],
    ["generateName", text],
    ["namespace", text],
    ["selfLink", text],
    ["uid", { shape: uid, presence: "unless empty" }],
    ["resourceVersion", text],
    ["generation", unlessEmpty("int64")],
    ["creationTimestamp", unlessNull("time")],
    ["deletionTimestamp", unlessNull("time")],
    ["deletionGracePeriodSeconds", unlessNull("int64")],
    ["labels", unlessEmpty("strings")],
    ["annotations", unlessEmpty("strings")],
    ["ownerReferences", listOf(ownerReference, "v1.OwnerReference")],
    ["finalizers", listOf(string, "string")],
    ["managedFields", listOf(managedFieldsEntry, "v1.ManagedFieldsEntry")],
  ]),
};

/** Metadata as the server would store it (the input itself when nothing changed) and the unknown fields it removed. */
export interface ReadMeta {
  readonly meta: JsonObject;
  readonly unknown: readonly string[];
}

/** Options of `readObjectMeta`. */
export interface ReadMetaOptions {
  /**
   * What to do with a known field of the wrong type: `"refuse"` is an error, `"drop"` removes it.
   * @default "refuse"
   */
  readonly malformed?: "refuse" | "drop";
}

/** Decodes metadata, or returns an error message. */
export function readObjectMeta(
  metadata: JsonValue,
  { malformed = "refuse" }: ReadMetaOptions = {},
): ReadMeta | { readonly problem: string } {
  const reader = new MetaReader((object) => Object.keys(object));
  const meta = reader.struct(metadata, objectMeta, top);
  if (reader.problem === undefined) return { meta, unknown: reader.unknown };
  if (malformed === "drop" && isJsonObject(metadata)) return readFieldByField(metadata);
  if (malformed === "drop") return { problem: reader.problem };
  // Key order decides which of several errors is named, and the server has sorted the keys by now.
  const sorted = new MetaReader((object) => Object.keys(object).toSorted(compareBytes));
  sorted.struct(metadata, objectMeta, top);
  return { problem: sorted.problem ?? reader.problem };
}

function readFieldByField(metadata: JsonObject): ReadMeta {
  let meta = metadata;
  const unknown: string[] = [];
  for (const name of Object.keys(metadata)) {
    const reader = new MetaReader((object) => Object.keys(object));
    const alone: JsonObject = {};
    setOwn(alone, name, metadata[name] ?? null);
    const value = getOwn(reader.struct(alone, objectMeta, top), name);
    if (reader.problem === undefined) unknown.push(...reader.unknown);
    if (reader.problem !== undefined || value === undefined) meta = withoutField(metadata, meta, name);
    else if (value !== metadata[name]) meta = withField(metadata, meta, name, value);
  }
  return { meta, unknown };
}

/** Position of a value, as Go's messages name it. */
interface Place {
  /** The innermost struct; undefined at the top. */
  readonly owner: string | undefined;
  /** Field names from the top, joined by dots. */
  readonly field: string;
  /** The same with indexes, for unknown fields. */
  readonly path: string;
}

const top: Place = { owner: undefined, field: "", path: "" };

class MetaReader {
  readonly unknown: string[] = [];
  readonly #keys: (object: JsonObject) => string[];
  #first: string | undefined;
  /** An invalid time stops decoding, so it is reported before anything else. */
  #fatal: string | undefined;

  constructor(keys: (object: JsonObject) => string[]) {
    this.#keys = keys;
  }

  get problem(): string | undefined {
    return this.#fatal ?? this.#first;
  }

  struct(value: JsonValue, shape: Shape & { readonly kind: "struct" }, place: Place): JsonObject {
    if (value !== null && !isJsonObject(value)) this.#first ??= mismatch(value, `v1.${shape.name}`, place);
    const object = isJsonObject(value) ? value : {};
    let result = object;
    for (const name of this.#keys(object)) {
      const known = shape.fields.get(name);
      if (known === undefined) {
        this.unknown.push(join(place.path, name));
        result = withoutField(object, result, name);
        continue;
      }
      const before = object[name] ?? null;
      const after = this.#value(before, known.shape, { owner: shape.name, field: join(place.field, name), path: join(place.path, name) });
      if (isLeftOut(after, known)) result = withoutField(object, result, name);
      else if (after !== before || after === null) result = withField(object, result, name, after ?? "");
    }
    for (const [name, { presence }] of shape.fields)
      if (presence === "always" && !Object.hasOwn(result, name)) result = withField(object, result, name, "");
    return result;
  }

  #value(value: JsonValue, shape: Shape, place: Place): JsonValue {
    if (shape.kind === "raw") return value;
    if (shape.kind === "struct") return this.struct(value, shape, place);
    if (value === null) return null;
    if (shape.kind === "time") return this.#time(value, place);
    if (shape.kind === "strings")
      return isJsonObject(value) ? this.#strings(value, place) : this.#mismatch(value, "map[string]string", place);
    if (shape.kind === "list")
      return Array.isArray(value) ? this.#list(value, shape.of, place) : this.#mismatch(value, `[]${shape.type}`, place);
    if (shape.kind === "int64") return isNumeric(value) && isInt64(value) ? value : this.#mismatch(value, "int64", place);
    if (shape.kind === "bool") return typeof value === "boolean" ? value : this.#mismatch(value, "bool", place);
    return typeof value === "string" ? value : this.#mismatch(value, shape.type, place);
  }

  #time(value: JsonValue, place: Place): JsonValue {
    try {
      if (typeof value === "string") return canonicalTime(value);
      this.#fatal ??= mismatch(value, "string", place);
    } catch (error) {
      this.#fatal ??= errorText(error);
    }
    return null;
  }

  #strings(object: JsonObject, place: Place): JsonObject {
    let result = object;
    for (const key of this.#keys(object)) {
      const before = object[key] ?? null;
      const after = this.#value(before, string, place) ?? "";
      if (after !== before) result = withField(object, result, key, after);
    }
    return result;
  }

  #list(list: JsonValue[], of: Shape, place: Place): JsonValue[] {
    let result = list;
    for (const [index, before] of list.entries()) {
      const after = this.#value(before, of, { ...place, path: `${place.path}[${index}]` }) ?? "";
      if (after === before) continue;
      if (result === list) result = [...list];
      result[index] = after;
    }
    return result;
  }

  #mismatch(value: JsonValue, wanted: string, place: Place): null {
    this.#first ??= mismatch(value, wanted, place);
    return null;
  }
}

function mismatch(value: JsonValue, wanted: string, { owner, field }: Place): string {
  const where = owner === undefined ? "Go value" : `Go struct field ${owner}.${field}`;
  const found = typeOf(value);
  const number = found === "number" && wanted === "int64" ? ` ${printGoJson(value)}` : "";
  return `json: cannot unmarshal ${found}${number} into ${where} of type ${wanted}`;
}

function isLeftOut(value: JsonValue, { presence }: FieldShape): boolean {
  if (presence === "always") return false;
  if (value === null) return true;
  if (presence === "unless null") return false;
  if (Array.isArray(value)) return value.length === 0;
  return value === "" || value === 0 || (isJsonObject(value) && Object.keys(value).length === 0);
}

const isNumeric = (value: JsonValue): value is number | bigint => typeof value === "number" || typeof value === "bigint";
const join = (parent: string, name: string): string => (parent === "" ? name : `${parent}.${name}`);

function typeOf(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "object") return "object";
  return isNumeric(value) ? "number" : typeof value === "boolean" ? "bool" : "string";
}
