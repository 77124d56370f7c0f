/**
 * Converts `apiVersion`, `kind` and `metadata` of resources, the object itself and embedded ones, to the form that the server
 * stores.
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

/** Options of `coerceObjectMeta`. */
export interface CoerceOptions {
  /**
   * Path of the value in the object.
   * @default "", the object itself
   */
  readonly path?: FieldPath;
  /**
   * `"object"` for a whole object, which is a resource whatever its schema says; `"part"` for anything within one.
   * @default "object"
   */
  readonly root?: "object" | "part";
  /**
   * What to do with a known field of the wrong type: `"refuse"` is an error; `"drop"` removes it, as when reading from storage.
   * @default "refuse"
   */
  readonly malformed?: "refuse" | "drop";
}

/** A value with valid resources. */
export interface CoercedMeta {
  /** The input itself when nothing changed. */
  readonly value: JsonValue;
  /** Unknown fields removed from metadata, in byte order. */
  readonly unknown: readonly FieldPath[];
}

/** Decodes and re-encodes the metadata of every resource in a value; the first that fails is an error. Never changes its input. */
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
      // With "drop", metadata that is not an object stays: there is nothing to keep of it and nothing to replace it with.
      if (this.#malformed === "refuse") this.#error ??= fieldInvalid(fieldChild(path, "metadata"), value, read.problem);
      return draft;
    }
    for (const field of read.unknown) this.unknown.push(`${fieldChild(path, "metadata")}.${field}`);
    return read.meta === value ? draft : withField(object, draft, "metadata", read.meta);
  }
}
