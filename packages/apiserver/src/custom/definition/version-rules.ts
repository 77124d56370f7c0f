/** Validates the parts of a definition that each version can have: schema, subresources, columns, selectable fields. */
import type { CustomResourceColumnDefinition, CustomResourceSubresources } from "@drover/api/apiextensions/v1";
import { byteLength, checkStructural, fieldChild, fieldIndex, fieldInvalid, fieldRequired, printGoJson } from "@drover/machinery";
import type { FieldError, FieldPath, Schema, UncheckedSchema } from "@drover/machinery";
import { checkRules } from "../../cel/rules/check-rules.ts";
import type { InternalVersion, SharedParts } from "./internal-spec.ts";
import { checkSelectableFields } from "./selectable-field-rules.ts";

/** Validates one version. `hasStatus` says whether it has a `status` subresource, hoisted or not. */
export function checkVersion(version: InternalVersion, path: FieldPath, hasStatus: boolean): FieldError[] {
  return [
    ...deprecationProblems(version).map((problem) =>
      invalidPointer(fieldChild(path, "deprecationWarning"), version.deprecationWarning ?? "", problem),
    ),
    ...checkSchema(version.schema, fieldChild(path, "schema"), hasStatus),
    ...checkSubresources(version.subresources, fieldChild(path, "subresources")),
    ...checkColumns(version.additionalPrinterColumns, fieldChild(path, "additionalPrinterColumns")),
    ...(version.selectableFields === undefined || version.selectableFields.length === 0 ? [] : versionFieldErrors(version, path)),
  ];
}

/** kube-apiserver prints optional strings as JSON. */
function invalidPointer(path: FieldPath, value: string, detail: string): FieldError {
  return { ...fieldInvalid(path, value, detail), valueText: printGoJson(value) };
}

function versionFieldErrors({ selectableFields = [], schema }: InternalVersion, path: FieldPath): FieldError[] {
  const fieldsPath = fieldChild(path, "selectableFields");
  if (schema?.openAPIV3Schema === undefined)
    return [fieldInvalid(fieldsPath, "", "may only be set when `version.schema.openAPIV3Schema` is not included")];
  return checkSelectableFields(selectableFields, schema.openAPIV3Schema, fieldsPath);
}

function deprecationProblems({ deprecated = false, deprecationWarning: warning }: InternalVersion): string[] {
  if (warning === undefined) return [];
  if (!deprecated) return ["can only be set for deprecated versions"];
  // kube-apiserver uses Go's unicode.IsPrint, for which only the ASCII space is printable.
  const odd = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
  return [
    ...(byteLength(warning) > 256 ? ["must be <= 256 characters long"] : []),
    ...(warning === "" ? ["must not be an empty string"] : []),
    ...(odd === null
      ? []
      : [
          `must only contain printable UTF-8 characters; non-printable character found at index ${byteLength(warning.slice(0, odd.index))}`,
        ]),
  ];
}

/** Validates a schema; its CEL rules only if everything else is valid. */
export function checkSchema(validation: SharedParts["schema"], path: FieldPath, hasStatus: boolean): FieldError[] {
  const schema: UncheckedSchema | undefined = validation?.openAPIV3Schema;
  if (schema === undefined) return [];
  const schemaPath = fieldChild(path, "openAPIV3Schema");
  const errors = checkStructural(schema, schemaPath, { hasStatus });
  return errors.length > 0 ? errors : checkRules(schema as Schema, schemaPath);
}

/** Validates the paths of `scale`. */
export function checkSubresources(subresources: CustomResourceSubresources | undefined, path: FieldPath): FieldError[] {
  if (subresources?.scale === undefined) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = "" } = subresources.scale;
  const at = (name: string): FieldPath => fieldChild(path, `scale.${name}`);
  return [
    ...(specReplicasPath === ""
      ? [fieldRequired(at("specReplicasPath"))]
      : checkPathUnder([".spec."], specReplicasPath, at("specReplicasPath"), "should be a json path under .spec")),
    ...(statusReplicasPath === ""
      ? [fieldRequired(at("statusReplicasPath"))]
      : checkPathUnder([".status."], statusReplicasPath, at("statusReplicasPath"), "should be a json path under .status")),
    ...(labelSelectorPath === ""
      ? []
      : checkPathUnder(
          [".spec.", ".status."],
          labelSelectorPath,
          at("labelSelectorPath"),
          "should be a json path under either .spec or .status",
          invalidPointer,
        )),
  ];
}

function checkPathUnder(
  prefixes: readonly string[],
  jsonPath: string,
  path: FieldPath,
  detail: string,
  invalid: typeof invalidPointer = fieldInvalid,
): FieldError[] {
  if (!jsonPath.startsWith(".")) return checkSimplePath(jsonPath, path);
  return prefixes.some((prefix) => jsonPath.startsWith(prefix)) ? [] : [invalid(path, jsonPath, detail)];
}

function checkSimplePath(jsonPath: string, path: FieldPath): FieldError[] {
  return jsonPath.startsWith(".") ? [] : [fieldInvalid(path, jsonPath, "must be a simple json path starting with .")];
}

const columnTypes: readonly string[] = ["boolean", "date", "integer", "number", "string"];
const columnFormats: readonly string[] = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/** Validates additional printer columns. */
export function checkColumns(columns: readonly CustomResourceColumnDefinition[] | undefined, path: FieldPath): FieldError[] {
  return (columns ?? []).flatMap((column, index) => checkColumn(column, fieldIndex(path, index)));
}

function checkColumn({ name, type, format = "", jsonPath }: CustomResourceColumnDefinition, path: FieldPath): FieldError[] {
  const typePath = fieldChild(path, "type");
  const oneOfTypes = `must be one of ${columnTypes.join(",")}`;
  const pathPath = fieldChild(path, "JSONPath");
  return [
    ...(name === "" ? [fieldRequired(fieldChild(path, "name"))] : []),
    ...(type === "" ? [fieldRequired(typePath, oneOfTypes)] : columnTypes.includes(type) ? [] : [fieldInvalid(typePath, type, oneOfTypes)]),
    ...(format === "" || columnFormats.includes(format)
      ? []
      : [fieldInvalid(fieldChild(path, "format"), format, `must be one of ${columnFormats.join(",")}`)]),
    ...(jsonPath === "" ? [fieldRequired(pathPath)] : checkSimplePath(jsonPath, pathPath)),
  ];
}
