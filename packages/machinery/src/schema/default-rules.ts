/** Checks the defaults in a schema: they validate, they have no unknown fields, and defaults in metadata are valid metadata. */
import { printFieldError, printFieldErrors } from "../field/field-error-text.ts";
import { fieldInvalid, type FieldError } from "../field/field-error.ts";
import { fieldChild, fieldKey, type FieldPath } from "../field/field-path.ts";
import { setOwn } from "../json/own.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { compileSchema, type CompiledSchema } from "./compiled-schema.ts";
import { validateEmbeddedResources } from "./embedded-resource.ts";
import { coerceObjectMeta } from "./object-meta.ts";
import { prune } from "./prune.ts";
import type { Schema } from "./schema.ts";
import { validateValue } from "./validate.ts";

/** Returns errors in the defaults of a structural schema. Ignores defaults below `additionalProperties`, as the server does. */
export function checkDefaults(schema: Schema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const root = { ...schema, "x-kubernetes-embedded-resource": true };
  walk(root, { path, errors, resource: root, insideMeta: false, surround: (value) => value });
  return errors;
}

interface Place {
  readonly path: FieldPath;
  readonly errors: FieldError[];
  /** The resource, whole or embedded, that the schema belongs to. */
  readonly resource: Schema;
  readonly insideMeta: boolean;
  /** Wraps a value so that the surrounding resource can be checked. */
  readonly surround: (value: JsonValue) => JsonValue;
}

function walk(schema: Schema, outer: Place): void {
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const place = isResource ? { ...outer, resource: schema, insideMeta: false, surround: (value: JsonValue): JsonValue => value } : outer;
  const { path, surround } = place;
  if ((schema.default ?? null) !== null)
    place.errors.push(...(place.insideMeta ? metaDefaultErrors(schema, place) : defaultErrors(schema, path)));
  if (schema.items !== undefined) walk(schema.items, { ...place, path: fieldChild(path, "items"), surround: (value) => surround([value]) });
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMeta = isResource && (name === "metadata" || name === "apiVersion" || name === "kind");
    walk(property, {
      ...place,
      path: fieldKey(fieldChild(path, "properties"), name),
      insideMeta: place.insideMeta || isMeta,
      surround: (value) => {
        const parent: JsonObject = {};
        setOwn(parent, name, value);
        return surround(parent);
      },
    });
  }
}

function defaultErrors(schema: Schema, path: FieldPath): FieldError[] {
  const value = schema.default ?? null;
  const compiled = compileSchema(schema, { purpose: "default" });
  const defaultPath = fieldChild(path, "default");
  const errors =
    prune(value, compiled, { root: "part" }).value !== value ? [fieldInvalid(defaultPath, value, "must not have unknown fields")] : [];
  const coerced = coerceObjectMeta(value, compiled, { path: defaultPath, root: "part" });
  if ("type" in coerced) return [...errors, coerced];
  const embedded = validateEmbeddedResources(coerced.value, compiled, { path: defaultPath });
  return [...errors, ...(embedded.length > 0 ? embedded : validateValue(coerced.value, compiled, { path: defaultPath }))];
}

function metaDefaultErrors(schema: Schema, { path, resource, surround }: Place): FieldError[] {
  const value = schema.default ?? null;
  const defaultPath = fieldChild(path, "default");
  const problem = metaProblem(surround(value), compileSchema(resource, { purpose: "default" }));
  if (problem !== undefined) return [fieldInvalid(defaultPath, value, `must result in valid metadata: ${problem}`)];
  return validateValue(value, compileSchema(schema, { purpose: "default" }), { path: defaultPath });
}

function metaProblem(object: JsonValue, resource: CompiledSchema): string | undefined {
  const typed = { apiVersion: "validation/v1", kind: "Validation", ...(object as JsonObject) };
  const coerced = coerceObjectMeta(typed, resource);
  if ("type" in coerced) return printFieldError(coerced);
  const errors = validateEmbeddedResources(coerced.value, resource);
  return errors.length > 0 ? printFieldErrors(errors) : undefined;
}
