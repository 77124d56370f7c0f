/**
 * Whether a schema is structural: every value it validates has a type and a place outside of allOf, anyOf, oneOf and not, and these
 * only add restrictions.
 *
 *     UncheckedSchema → FieldError[], sorted by their texts
 */
import { compareBytes } from "../go/byte-text.ts";
import { printFieldError } from "../field/field-error-text.ts";
import { fieldForbidden, fieldInvalid, fieldRequired, type FieldError } from "../field/field-error.ts";
import { fieldChild, fieldIndex, fieldKey, type FieldPath } from "../field/field-path.ts";
import { getOwn } from "../json/own.ts";
import { compilePattern } from "./pattern.ts";
import type { UncheckedSchema } from "./schema.ts";
import { usedKeywords } from "./schema-keywords.ts";

/** Which part of the object a schema describes; messages and some rules differ. */
type Level = "root" | "item" | "field";

/** Returns everything that keeps a schema from being structural. Expects a schema without unsupported keywords. */
export function checkStructure(schema: UncheckedSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, "root", { path, errors });
  checkCompleteness(schema, schema, { structurePath: path, path, errors });
  const texts = new Map(errors.map((error) => [error, printFieldError(error)]));
  return errors.toSorted((a, b) => compareBytes(texts.get(a) ?? "", texts.get(b) ?? ""));
}

/** `items` if it is a single schema. */
export function itemsOf({ items }: UncheckedSchema): UncheckedSchema | undefined {
  return isSchema(items) ? items : undefined;
}

/** `additionalProperties` if it is a schema. */
export function additionalOf({ additionalProperties }: UncheckedSchema): UncheckedSchema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function isSchema(value: UncheckedSchema | readonly UncheckedSchema[] | undefined): value is UncheckedSchema {
  return value !== undefined && !Array.isArray(value);
}

interface Place {
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

function checkNode(schema: UncheckedSchema, level: Level, { path, errors }: Place): void {
  const type = schema.type ?? "";
  const items = itemsOf(schema);
  if (type === "array" && items === undefined) errors.push(fieldRequired(fieldChild(path, "items"), "must be specified"));
  if (items !== undefined) checkNode(items, "item", { path: fieldChild(path, "items"), errors });
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    checkNode(property, "field", { path: propertyPath(path, name), errors });
  if (schema.additionalProperties !== undefined && level === "root")
    errors.push(fieldForbidden(fieldChild(path, "additionalProperties"), "must not be used at the root"));
  const additional = additionalOf(schema);
  if (additional !== undefined) checkNode(additional, "field", { path: fieldChild(path, "additionalProperties"), errors });
  checkExtensions(schema, { path, errors });
  checkJunctors(schema, {
    path,
    errors,
    allowsAnyOf: isIntOrString(schema.anyOf),
    allowsFirstAnyOf: isIntOrString(schema.allOf?.[0]?.anyOf),
  });
  checkType(schema, level, { path, errors });
  checkResource(schema, level, { path, errors });
}

const propertyPath = (path: FieldPath, name: string): FieldPath => fieldKey(fieldChild(path, "properties"), name);

function checkExtensions(schema: UncheckedSchema, { path, errors }: Place): void {
  if (schema["x-kubernetes-int-or-string"] !== true) return;
  for (const keyword of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const) {
    if (schema[keyword] === true)
      errors.push(fieldInvalid(fieldChild(path, keyword), true, "must be false if x-kubernetes-int-or-string is true"));
  }
}

function checkType(schema: UncheckedSchema, level: Level, { path, errors }: Place): void {
  const type = schema.type ?? "";
  const typePath = fieldChild(path, "type");
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? fieldRequired(typePath, detail) : fieldInvalid(typePath, type, detail));
  } else if (type === "" && schema["x-kubernetes-int-or-string"] !== true && schema["x-kubernetes-preserve-unknown-fields"] !== true) {
    const where = level === "root" ? "at the root" : level === "item" ? "for specified array items" : "for specified object fields";
    errors.push(fieldRequired(typePath, `must not be empty ${where}`));
  }
  if (embedded && schema.additionalProperties !== undefined) {
    errors.push(fieldForbidden(fieldChild(path, "additionalProperties"), "must not be used if x-kubernetes-embedded-resource is set"));
  }
  if (level === "root" && type !== "" && type !== "object") errors.push(fieldInvalid(typePath, type, "must be object at the root"));
}

/** What a schema may say about the type fields and metadata of a resource. */
function checkResource(schema: UncheckedSchema, level: Level, { path, errors }: Place): void {
  const properties = schema.properties ?? {};
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const isResource = level === "root" || embedded;
  for (const name of ["kind", "apiVersion"]) {
    const field = getOwn(properties, name);
    if (isResource && field !== undefined && field.type !== "string")
      errors.push(fieldInvalid(fieldChild(propertyPath(path, name), "type"), field.type ?? "", "must be string"));
  }
  const metadata = getOwn(properties, "metadata");
  if (metadata !== undefined) {
    const metadataPath = propertyPath(path, "metadata");
    if (isResource && metadata.type !== "object")
      errors.push(fieldInvalid(fieldChild(metadataPath, "type"), metadata.type ?? "", "must be object"));
    if (level === "root" && !isNameOnly(metadata)) {
      errors.push(
        fieldForbidden(metadataPath, "must not specify anything other than name and generateName, but metadata is implicitly specified"),
      );
    }
  }
  if (embedded && schema["x-kubernetes-preserve-unknown-fields"] !== true && Object.keys(properties).length === 0) {
    errors.push(
      fieldRequired(
        fieldChild(path, "properties"),
        "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
      ),
    );
  }
}

function isNameOnly(metadata: UncheckedSchema): boolean {
  const fields = Object.keys(metadata.properties ?? {});
  return (
    fields.every((name) => name === "name" || name === "generateName") &&
    meaningful(metadata).every((keyword) => keyword === "Type" || keyword === "Default" || keyword === "Properties")
  );
}

/** Keywords with an effect; empty lists of alternatives have none. */
function meaningful(schema: UncheckedSchema): string[] {
  const { allOf, anyOf, oneOf, enum: allowed, items } = schema;
  const rules = schema["x-kubernetes-validations"];
  const empty = new Set<string>();
  for (const [name, list] of [
    ["AllOf", allOf],
    ["AnyOf", anyOf],
    ["OneOf", oneOf],
    ["Enum", allowed],
    ["XValidations", rules],
    ["Items", items],
  ] as const) {
    if (Array.isArray(list) && list.length === 0) empty.add(name);
  }
  return usedKeywords(schema).filter((keyword) => !empty.has(keyword));
}

/** `anyOf: [{type: integer}, {type: string}]`, the only place where alternatives may have types. */
function isIntOrString(branches: readonly UncheckedSchema[] | undefined): boolean {
  if (branches?.length !== 2) return false;
  return branches.every(
    (branch, index) =>
      branch.type === (index === 0 ? "integer" : "string") &&
      meaningful(branch).filter((keyword) => keyword !== "AdditionalProperties" || branch.additionalProperties !== false).length === 1,
  );
}

/** Where an int-or-string pattern need not be checked: in this schema's anyOf, or in that of its first allOf. */
interface JunctorPlace extends Place {
  readonly allowsAnyOf?: boolean;
  readonly allowsFirstAnyOf?: boolean;
}

function checkJunctors(schema: UncheckedSchema, { path, errors, allowsAnyOf = false, allowsFirstAnyOf = false }: JunctorPlace): void {
  const branches = (keyword: "anyOf" | "allOf" | "oneOf"): void => {
    for (const [index, branch] of (schema[keyword] ?? []).entries()) {
      checkNested(branch, {
        path: fieldIndex(fieldChild(path, keyword), index),
        errors,
        allowsAnyOf: allowsFirstAnyOf && keyword === "allOf" && index === 0,
      });
    }
  };
  if (!allowsAnyOf) branches("anyOf");
  branches("allOf");
  branches("oneOf");
  if (schema.not !== undefined) checkNested(schema.not, { path: fieldChild(path, "not"), errors });
  if (schema.pattern) {
    const { error } = compilePattern(schema.pattern);
    if (error !== undefined)
      errors.push(fieldInvalid(fieldChild(path, "pattern"), schema.pattern, `must be a valid regular expression, but isn't: ${error}`));
  }
}

const forbiddenFlags = [
  "nullable",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
] as const;

/** A schema within a junctor: it may only restrict. */
function checkNested(schema: UncheckedSchema, place: JunctorPlace): void {
  const { path, errors } = place;
  const forbid = (keyword: keyof UncheckedSchema, state: string): unknown =>
    errors.push(fieldForbidden(fieldChild(path, keyword), `must be ${state} to be structural`));
  checkJunctors(schema, place);
  const items = itemsOf(schema);
  if (items !== undefined) checkNested(items, { errors, path: fieldChild(path, "items") });
  for (const [name, property] of Object.entries(schema.properties ?? {})) checkNested(property, { errors, path: propertyPath(path, name) });
  for (const keyword of ["type", "title", "description"] as const) if (schema[keyword]) forbid(keyword, "empty");
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) forbid("additionalProperties", "undefined");
  if ((schema.default ?? null) !== null) forbid("default", "undefined");
  for (const keyword of forbiddenFlags) if (schema[keyword] === true) forbid(keyword, "false");
  for (const keyword of ["x-kubernetes-list-map-keys", "x-kubernetes-validations"] as const)
    if ((schema[keyword]?.length ?? 0) > 0) forbid(keyword, "empty");
  for (const keyword of ["x-kubernetes-list-type", "x-kubernetes-map-type"] as const)
    if (schema[keyword] !== undefined) forbid(keyword, "undefined");
  if (Object.hasOwn(schema.properties ?? {}, "metadata"))
    errors.push(fieldForbidden(propertyPath(path, "metadata"), "must not be specified in a nested context"));
}

interface CompletenessPlace extends Place {
  /** Path of the schema that the restriction needs. */
  readonly structurePath: FieldPath;
}

/** Whether everything a junctor mentions is also specified outside of it. Follows only the root's junctors, as the server does. */
function checkCompleteness(restriction: UncheckedSchema, structure: UncheckedSchema | undefined, place: CompletenessPlace): void {
  const { path } = place;
  if (restriction.not !== undefined) checkNestedCompleteness(restriction.not, structure, { ...place, path: fieldChild(path, "not") });
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const) {
    for (const [index, branch] of (restriction[keyword] ?? []).entries()) {
      checkNestedCompleteness(branch, structure, { ...place, path: fieldIndex(fieldChild(path, keyword), index) });
    }
  }
}

function checkNestedCompleteness(restriction: UncheckedSchema, structure: UncheckedSchema | undefined, place: CompletenessPlace): void {
  const { path, structurePath, errors } = place;
  if (structure === undefined) {
    errors.push(fieldRequired(structurePath, `because it is defined in ${path}`));
    return;
  }
  checkCompleteness(restriction, structure, place);
  const items = itemsOf(restriction);
  if (items !== undefined)
    checkNestedCompleteness(items, itemsOf(structure), {
      errors,
      path: fieldChild(path, "items"),
      structurePath: fieldChild(structurePath, "items"),
    });
  for (const [name, property] of Object.entries(restriction.properties ?? {})) {
    checkNestedCompleteness(property, getOwn(structure.properties ?? {}, name), {
      errors,
      path: propertyPath(path, name),
      structurePath: propertyPath(structurePath, name),
    });
  }
}
