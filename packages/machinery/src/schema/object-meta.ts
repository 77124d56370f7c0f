/**
 * Puts the `apiVersion`, `kind` and `metadata` of resources, the object itself and the ones embedded in it, into the form the server keeps.
 *
 *     decoded object → coerceObjectMeta → prune → …
 */
import { compareBytes } from "../go/byte-text.ts";
import { fieldInvalid, type FieldError } from "../field/field-error.ts";
import { fieldChild, fieldIndex, fieldKey, type FieldPath } from "../field/field-path.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { withField, withoutField } from "./draft.ts";
import { readObjectMeta } from "./meta-shape.ts";

/** Where a value stands, what it is, and how strict to be. */
export interface CoerceOptions {
  /**
   * Where the value stands in the object.
   * @default "" the object itself
   */
  readonly path?: FieldPath;
  /**
   * `"object"` when the value is a whole object and so a resource, whatever its schema says; `"part"` for anything inside one.
   * @default "object"
   */
  readonly root?: "object" | "part";
  /**
   * What happens to a known field of the wrong type: `"refuse"` makes it an error; `"drop"` removes it, as is done when
   * reading from storage.
   * @default "refuse"
   */
  readonly malformed?: "refuse" | "drop";
}

/** A value whose resources are in order. */
export interface CoercedMeta {
  /** The input itself when nothing had to change. */
  readonly value: JsonValue;
  /** Fields of metadata that were removed because nobody knows them, in order of the bytes. */
  readonly unknown: readonly FieldPath[];
}

/**
 * Reads the metadata of every resource in a value and writes it back; the first thing that cannot be read is an error.
 * Never changes its input.
 */
export function coerceObjectMeta(
  value: JsonValue,
  schema: CompiledSchema,
  { path = "", root = "object", malformed = "refuse" }: CoerceOptions = {},
): CoercedMeta | FieldError {
  if (root === "part" && !schema.holdsEmbedded) return { value, unknown: [] };
  const coercion = new Coercion(malformed);
  const coerced = coercion.walk(value, schema, { path, isResource: root === "object" || schema.embedded });
  return coercion.error ?? { value: coerced, unknown: coercion.unknown.toSorted(compareBytes) };
}

interface Place {
  readonly path: FieldPath;
  readonly isResource: boolean;
}

class Coercion {
  readonly unknown: FieldPath[] = [];
  readonly #malformed: "refuse" | "drop";
  #error: FieldError | undefined;

  constructor(malformed: "refuse" | "drop") {
    this.#malformed = malformed;
  }

  get error(): FieldError | undefined {
    return this.#error;
  }

  walk(value: JsonValue, schema: CompiledSchema, place: Place): JsonValue {
    if (Array.isArray(value)) return this.#items(value, schema.items, place.path);
    return isJsonObject(value) ? this.#fields(value, schema, place) : value;
  }

  #items(list: JsonValue[], items: CompiledSchema | undefined, path: FieldPath): JsonValue[] {
    if (items === undefined || !items.holdsEmbedded) return list;
    let result = list;
    for (const [index, item] of list.entries()) {
      const coerced = this.walk(item, items, { path: fieldIndex(path, index), isResource: items.embedded });
      if (coerced === item) continue;
      if (result === list) result = [...list];
      result[index] = coerced;
    }
    return result;
  }

  #fields(object: JsonObject, schema: CompiledSchema, { path, isResource }: Place): JsonObject {
    let result = isResource ? this.#typeAndMeta(object, path) : object;
    if (!schema.holdsEmbedded) return result;
    for (const name of Object.keys(object)) {
      const property = schema.properties.get(name);
      const child = property ?? (typeof schema.additional === "object" ? schema.additional : undefined);
      if (child === undefined || !child.holdsEmbedded) continue;
      const value = object[name] ?? null;
      const coerced = this.walk(value, child, {
        path: property === undefined ? fieldKey(path, name) : fieldChild(path, name),
        isResource: child.embedded,
      });
      if (coerced !== value) result = withField(object, result, name, coerced);
    }
    return result;
  }

  #typeAndMeta(object: JsonObject, path: FieldPath): JsonObject {
    let result = object;
    for (const name of ["apiVersion", "kind"]) {
      if (!Object.hasOwn(object, name) || typeof object[name] === "string") continue;
      if (this.#malformed === "drop") result = withoutField(object, result, name);
      else this.#error ??= fieldInvalid(fieldChild(path, name), object[name], "must be a string");
    }
    return Object.hasOwn(object, "metadata") ? this.#metadata(object, result, path) : result;
  }

  #metadata(object: JsonObject, draft: JsonObject, path: FieldPath): JsonObject {
    const value = object["metadata"] ?? null;
    const read = readObjectMeta(value, { malformed: this.#malformed });
    if ("problem" in read) {
      // What is no object at all stays when dropping is asked for: there is nothing to keep of it and nothing to put in its place.
      if (this.#malformed === "refuse") this.#error ??= fieldInvalid(fieldChild(path, "metadata"), value, read.problem);
      return draft;
    }
    for (const field of read.unknown) this.unknown.push(`${fieldChild(path, "metadata")}.${field}`);
    return read.meta === value ? draft : withField(object, draft, "metadata", read.meta);
  }
}
