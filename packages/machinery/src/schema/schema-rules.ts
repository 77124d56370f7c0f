/**
 * Rules for every keyword of a schema, wherever it is: known types, no unsupported keywords, valid list and map types, defaults
 * only where allowed.
 */
import { fieldForbidden, fieldInvalid, fieldNotSupported, type FieldError } from "../field/field-error.ts";
import { fieldChild, fieldIndex, fieldKey, type FieldPath } from "../field/field-path.ts";
import { checkListType, checkMapType } from "./list-type-rules.ts";
import { checkValidationRules } from "./validation-rules.ts";
import type { UncheckedSchema } from "./schema.ts";
import { additionalOf, itemsOf } from "./structure-rules.ts";

const types: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];

interface Place {
  readonly path: FieldPath;
  readonly errors: FieldError[];
  readonly isRoot: boolean;
  readonly insideMeta: boolean;
  /** Why defaults are not allowed here; undefined where they are. */
  readonly noDefaults: string | undefined;
}

/** Returns all errors in the keywords of a schema and its subschemas. */
export function checkKeywords(schema: UncheckedSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  check(schema, { path, errors, isRoot: true, insideMeta: false, noDefaults: undefined });
  return errors;
}

function check(schema: UncheckedSchema, place: Place): void {
  const { path, errors } = place;
  checkBasics(schema, place);
  if (schema.uniqueItems === true) {
    errors.push(
      fieldForbidden(fieldChild(path, "uniqueItems"), "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"),
    );
  }
  if (
    schema.additionalProperties !== undefined &&
    schema.additionalProperties !== true &&
    Object.keys(schema.properties ?? {}).length > 0
  ) {
    errors.push(fieldForbidden(fieldChild(path, "additionalProperties"), "additionalProperties and properties are mutual exclusive"));
  }
  checkChildren(schema, { ...place, isRoot: false }, place.isRoot);
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    errors.push(fieldInvalid(fieldChild(path, "x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"));
  }
  checkMapType(schema, place);
  checkListType(schema, place);
  checkValidationRules(schema, place);
}

function checkBasics(schema: UncheckedSchema, { path, errors, insideMeta, noDefaults }: Place): void {
  const type = schema.type ?? "";
  const unsupported = (keyword: keyof UncheckedSchema): unknown =>
    errors.push(fieldForbidden(fieldChild(path, keyword), `${keyword} is not supported`));
  if (type !== "" && !types.includes(type)) errors.push(fieldNotSupported(fieldChild(path, "type"), type, types));
  if ((schema.default ?? null) !== null && noDefaults !== undefined)
    errors.push(fieldForbidden(fieldChild(path, "default"), `must not be set ${noDefaults}`));
  if (schema.id) unsupported("id");
  if (schema.additionalItems !== undefined) unsupported("additionalItems");
  for (const keyword of ["patternProperties", "definitions"] as const)
    if (Object.keys(schema[keyword] ?? {}).length > 0) unsupported(keyword);
  if (schema.dependencies !== undefined) unsupported("dependencies");
  if (schema.$ref !== undefined) unsupported("$ref");
  if (type === "null") errors.push(fieldForbidden(fieldChild(path, "type"), "type cannot be set to null, use nullable as an alternative"));
  if (Array.isArray(schema.items) && schema.items.length > 0)
    errors.push(fieldForbidden(fieldChild(path, "items"), "items must be a schema object and not an array"));
  if (insideMeta && schema["x-kubernetes-embedded-resource"] === true)
    errors.push(fieldForbidden(fieldChild(path, "x-kubernetes-embedded-resource"), "must not be used inside of resource meta"));
}

function checkChildren(schema: UncheckedSchema, place: Place, isRoot: boolean): void {
  const { path } = place;
  const additional = additionalOf(schema);
  if (additional !== undefined) {
    const noDefaults = place.insideMeta ? "inside additionalProperties applying to object metadata" : place.noDefaults;
    check(additional, { ...place, path: fieldChild(path, "additionalProperties"), noDefaults });
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isMeta =
      (isRoot || schema["x-kubernetes-embedded-resource"] === true) && (name === "metadata" || name === "kind" || name === "apiVersion");
    check(property, {
      ...place,
      path: fieldKey(fieldChild(path, "properties"), name),
      insideMeta: place.insideMeta || isMeta,
      noDefaults: isMeta && isRoot ? `in top-level ${name}` : place.noDefaults,
    });
  }
  if (schema.not !== undefined) check(schema.not, { ...place, path: fieldChild(path, "not") });
  for (const keyword of ["allOf", "oneOf", "anyOf"] as const) {
    for (const [index, branch] of (schema[keyword] ?? []).entries())
      check(branch, { ...place, path: fieldIndex(fieldChild(path, keyword), index) });
  }
  for (const [name, definition] of Object.entries(schema.definitions ?? {}))
    check(definition, { ...place, path: fieldKey(fieldChild(path, "definitions"), name) });
  const items = itemsOf(schema);
  if (items !== undefined) check(items, { ...place, path: fieldChild(path, "items") });
  if (Array.isArray(schema.items)) {
    for (const [index, item] of (schema.items as readonly UncheckedSchema[]).entries())
      check(item, { ...place, path: fieldIndex(fieldChild(path, "items"), index) });
  }
  for (const [name, dependency] of Object.entries(schema.dependencies ?? {})) {
    if (!Array.isArray(dependency))
      check(dependency as UncheckedSchema, { ...place, path: fieldKey(fieldChild(path, "dependencies"), name) });
  }
}
