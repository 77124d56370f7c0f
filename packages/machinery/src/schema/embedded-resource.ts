/** Validation of embedded resources: a type, and valid metadata. */
import { fieldInvalid, fieldRequired, type FieldError } from "../field/field-error.ts";
import { fieldChild, fieldIndex, fieldKey, type FieldPath } from "../field/field-path.ts";
import type { ObjectMeta } from "../object/object.ts";
import { checkDns1035Label } from "../validation/dns-name.ts";
import { validateObjectMeta } from "../validation/object-meta.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import { readObjectMeta } from "./meta-shape.ts";

/** Position of a value. */
export interface EmbeddedOptions {
  /**
   * Path of the value in the object.
   * @default "", the object itself
   */
  readonly path?: FieldPath;
}

/**
 * Returns errors of the resources embedded in a value. Includes the object itself only if its schema says so: usually its metadata
 * is checked elsewhere.
 */
export function validateEmbeddedResources(value: JsonValue, schema: CompiledSchema, { path = "" }: EmbeddedOptions = {}): FieldError[] {
  const errors: FieldError[] = [];
  if (schema.holdsEmbedded) walk(value, schema, { path, errors, isResource: schema.embedded });
  return errors;
}

interface Place {
  readonly path: FieldPath;
  readonly errors: FieldError[];
  readonly isResource: boolean;
}

function walk(value: JsonValue, schema: CompiledSchema, { path, errors, isResource }: Place): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items?.holdsEmbedded !== true) return;
    for (const [index, item] of value.entries()) walk(item, items, { path: fieldIndex(path, index), errors, isResource: items.embedded });
  }
  if (!isJsonObject(value)) return;
  if (isResource) errors.push(...resourceErrors(value, path));
  for (const name of Object.keys(value)) {
    const property = schema.properties.get(name);
    const child = property ?? (typeof schema.additional === "object" ? schema.additional : undefined);
    if (child === undefined || !child.holdsEmbedded) continue;
    walk(value[name] ?? null, child, {
      path: property === undefined ? fieldKey(path, name) : fieldChild(path, name),
      errors,
      isResource: child.embedded,
    });
  }
}

function resourceErrors(resource: JsonObject, path: FieldPath): FieldError[] {
  const has = (name: string): boolean => Object.hasOwn(resource, name);
  return [
    ...(has("apiVersion") ? [] : [fieldRequired(fieldChild(path, "apiVersion"))]),
    ...(has("kind") ? [] : [fieldRequired(fieldChild(path, "kind"))]),
    ...(has("apiVersion") ? apiVersionErrors(resource["apiVersion"] ?? null, fieldChild(path, "apiVersion")) : []),
    ...(has("kind") ? kindErrors(resource["kind"] ?? null, fieldChild(path, "kind")) : []),
    ...(has("metadata") ? metadataErrors(resource["metadata"] ?? null, fieldChild(path, "metadata")) : []),
  ];
}

function apiVersionErrors(value: JsonValue, path: FieldPath): FieldError[] {
  if (typeof value !== "string") return [fieldInvalid(path, value, "must be a string")];
  if (value === "") return [fieldInvalid(path, value, "must not be empty")];
  return value.split("/").length > 2 ? [fieldInvalid(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindErrors(value: JsonValue, path: FieldPath): FieldError[] {
  if (typeof value !== "string") return [fieldInvalid(path, value, "must be a string")];
  if (value === "") return [fieldInvalid(path, value, "must not be empty")];
  const problems = checkDns1035Label(value.toLowerCase());
  return problems.length > 0 ? [fieldInvalid(path, value, `may have mixed case, but should otherwise match: ${problems.join(",")}`)] : [];
}

function metadataErrors(value: JsonValue, path: FieldPath): FieldError[] {
  const read = readObjectMeta(value);
  if ("problem" in read) return [fieldInvalid(path, value, read.problem)];
  const meta = read.meta as ObjectMeta;
  // An embedded resource may have no name; any name satisfies the rules that require one.
  return validateObjectMeta({ ...meta, name: meta.name ?? "fakename" }, { namespaced: meta.namespace !== undefined, path });
}
