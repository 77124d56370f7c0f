/**
 * Checks locally whether the server would accept an object: its OpenAPI schema defines fields, required fields and values.
 * Checks that the server does in code (immutable fields, names, references between fields) need the server.
 *
 *     OpenApiClient.schemaFor → ObjectSchema → validateObject → FieldError[]
 */
import {
  Quantity,
  ValueSyntaxError,
  apiVersionOf,
  applyDefaults,
  dropNulls,
  fieldChild,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  fieldTypeInvalid,
  isInstanceOf,
  isJsonObject,
  prune,
  setOwn,
  validate,
  validateValue,
} from "@drover/machinery";
import type { CompiledSchema, FieldError, FieldPath, JsonObject, JsonValue } from "@drover/machinery";
import type { ObjectSchema } from "./openapi-schemas.ts";

/** Options of the validation. */
export interface ValidateObjectOptions {
  /**
   * `"report"` makes an unknown field an error, as the server does with `fieldValidation=Strict`; `"ignore"` accepts it, as
   * the server does otherwise. @default "report"
   */
  readonly unknownFields?: "report" | "ignore";
}

/**
 * Returns the problems of an object, in the server's words where it has some; empty if valid. Never changes the object. A
 * field that is `undefined` is absent.
 */
export function validateObject(
  object: unknown,
  schema: ObjectSchema,
  { unknownFields = "report" }: ValidateObjectOptions = {},
): readonly FieldError[] {
  const value = object as JsonValue;
  if (!isJsonObject(value)) return [fieldTypeInvalid("", typeof value, "must be an object")];
  const { compiled } = schema;
  const isBuiltIn = schema.origin === "built-in";
  // Go's decoder treats null as absent; a custom resource loses only nulls that its schema does not allow.
  const written = without(value, isBuiltIn ? [undefined, null] : [undefined]);
  const read = isBuiltIn ? written : applyDefaults(dropNulls(written, compiled), compiled);
  const errors = [...typeErrors(value, schema), ...(isBuiltIn ? builtInErrors(read, compiled) : validate(read, compiled))];
  if (unknownFields === "ignore") return errors;
  return [...errors, ...prune(read, compiled, { root: "part" }).pruned.map((path) => fieldForbidden(path, `unknown field "${path}"`))];
}

function typeErrors(object: JsonObject, { kind }: ObjectSchema): readonly FieldError[] {
  const wanted = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  return Object.entries(wanted).flatMap(([field, expected]) => {
    const found = Object.hasOwn(object, field) ? object[field] : undefined;
    if (found === expected) return [];
    return found === undefined || found === "" ? [fieldRequired(field)] : [fieldInvalid(field, found, `must be ${expected}`)];
  });
}

/** The server checks lists of built-in kinds for duplicates in code, so the schema's list type is ignored. */
function builtInErrors(value: JsonValue, schema: CompiledSchema): readonly FieldError[] {
  const found = validateValue(value, schema);
  // The server treats an empty text as "not set" and applies the default. An error without a field only repeats another one.
  const errors = found.filter(
    (error) => (error.type !== "NotSupported" || error.value !== "") && (error.field !== "" || found.length === 1),
  );
  return [...errors, ...quantityErrors(value, schema, "")];
}

function without(value: JsonValue, absent: readonly unknown[]): JsonValue {
  if (Array.isArray(value)) return value.map((item) => without(item, absent));
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const [name, field] of Object.entries(value)) if (!absent.includes(field)) setOwn(kept, name, without(field, absent));
  return kept;
}

function quantityErrors(value: JsonValue, schema: CompiledSchema, path: FieldPath): readonly FieldError[] {
  if (schema.schema.format === "quantity") return quantityError(value, path);
  const { items } = schema;
  if (Array.isArray(value))
    return items === undefined ? [] : value.flatMap((item, index) => quantityErrors(item, items, fieldIndex(path, index)));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const child = schema.properties.get(name) ?? (typeof schema.additional === "object" ? schema.additional : undefined);
    return child === undefined ? [] : quantityErrors(field, child, fieldChild(path, name));
  });
}

function quantityError(value: JsonValue, path: FieldPath): readonly FieldError[] {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") return [];
  try {
    Quantity.fromJson(value);
    return [];
  } catch (error) {
    if (isInstanceOf(error, ValueSyntaxError)) return [fieldInvalid(path, value, error.message)];
    throw error;
  }
}
