/** Validates selectable fields: simple paths to strings, booleans and integers of the schema. */
import type { SelectableField } from "@drover/api/apiextensions/v1";
import { fieldChild, fieldDuplicate, fieldIndex, fieldInvalid, fieldRequired, fieldTooMany, getOwn } from "@drover/machinery";
import type { FieldError, FieldPath, UncheckedSchema } from "@drover/machinery";

const countMax = 8;

/** Validates the selectable fields of a version with this schema. */
export function checkSelectableFields(fields: readonly SelectableField[], schema: UncheckedSchema, path: FieldPath): FieldError[] {
  const known = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, index) => {
    const at = fieldChild(fieldIndex(path, index), "jsonPath");
    if (jsonPath === "") return [fieldRequired(at)];
    const found = findField(jsonPath, schema);
    if (typeof found === "string") return [fieldInvalid(at, jsonPath, `is an invalid path: ${found}`)];
    const isDuplicate = known.has(found.path);
    known.add(found.path);
    return [
      ...(/^metadata(?=[.[]|$)/.test(found.path) ? [fieldInvalid(at, jsonPath, "must not point to fields in metadata")] : []),
      ...(isSelectable(found.schema)
        ? []
        : [
            fieldInvalid(
              at,
              jsonPath,
              "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
            ),
          ]),
      ...(isDuplicate ? [fieldDuplicate(at, jsonPath)] : []),
    ];
  });
  return known.size > countMax ? [...errors, fieldTooMany(path, known.size, countMax)] : errors;
}

const isSelectable = (schema: UncheckedSchema | undefined): boolean =>
  schema?.type === "string" || schema?.type === "boolean" || schema?.type === "integer";

interface FoundField {
  readonly path: FieldPath;
  /** Undefined where the schema allows any field. */
  readonly schema: UncheckedSchema | undefined;
}

/** Follows a path through a schema; a string is the reason why it fails. */
function findField(jsonPath: string, root: UncheckedSchema): FoundField | string {
  let found: FoundField = { path: "", schema: root };
  const tokens = jsonPath.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs) ?? [];
  for (let index = 0; index < tokens.length; index += 2) {
    const [token = "", name] = [tokens[index], tokens[index + 1]];
    if (token === "[") return "array notation is not allowed";
    if (token !== ".") return `expected [ or . but got: ${token}`;
    if (name === undefined) return "unexpected end of JSON path";
    const next = childField(found, name);
    if (next === undefined) return "does not refer to a valid field";
    found = next;
  }
  return found;
}

function childField({ path, schema }: FoundField, name: string): FoundField | undefined {
  if (schema?.properties !== undefined) {
    const child = getOwn(schema.properties, name);
    return child === undefined ? undefined : { path: fieldChild(path, name), schema: child };
  }
  const additional = schema?.additionalProperties;
  if (additional === undefined) return undefined;
  return { path: `${path}[${name}]`, schema: typeof additional === "object" ? additional : undefined };
}
