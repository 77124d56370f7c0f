/**
 * Whether a custom resource may be defined with this schema: all of the server's checks of `openAPIV3Schema`, with its errors in
 * its order.
 *
 *     UncheckedSchema → checkStructural → FieldError[]; without errors it is a `Schema`
 *
 * CEL expressions (`x-kubernetes-validations`) are neither compiled nor costed here.
 */
import { fieldForbidden, fieldInvalid, type FieldError } from "../field/field-error.ts";
import { fieldChild, type FieldPath } from "../field/field-path.ts";
import { checkDefaults } from "./default-rules.ts";
import type { Schema, UncheckedSchema } from "./schema.ts";
import { printInternalSchema, usedKeywords } from "./schema-keywords.ts";
import { checkKeywords } from "./schema-rules.ts";
import { checkStructure } from "./structure-rules.ts";
import { unsupportedKeyword } from "./unsupported-keyword.ts";

/** Other parts of the definition. */
export interface StructuralOptions {
  /**
   * Whether the resource has a status subresource, whose schema the server separates from the root; that leaves fewer keywords for
   * the root.
   * @default false
   */
  readonly hasStatus?: boolean;
}

/** Returns the errors in a schema for a custom resource. */
export function checkStructural(schema: UncheckedSchema, path: FieldPath, { hasStatus = false }: StructuralOptions = {}): FieldError[] {
  const errors = [
    ...(hasStatus ? rootErrors(schema, path) : []),
    ...(schema.nullable === true ? [fieldForbidden(fieldChild(path, "nullable"), "nullable cannot be true at the root")] : []),
  ];
  const unsupported = unsupportedKeyword(schema);
  if (unsupported === undefined) errors.push(...structureErrors(schema, path));
  errors.push(...checkKeywords(schema, path));
  // Most unsupported keywords have their own error by now; this covers the one that has not.
  return unsupported !== undefined && errors.length === 0 ? [fieldInvalid(path, "", unsupported)] : errors;
}

/** Defaults are checked only once the structure is valid. */
function structureErrors(schema: UncheckedSchema, path: FieldPath): FieldError[] {
  const errors = checkStructure(schema, path);
  return errors.length > 0 ? errors : checkDefaults(schema as Schema, path);
}

const rootKeywords: readonly string[] = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];

function rootErrors(schema: UncheckedSchema, path: FieldPath): FieldError[] {
  for (const keyword of usedKeywords(schema)) {
    if (keyword === "Type" && schema.type !== "object") {
      return [
        fieldInvalid(
          fieldChild(path, "type"),
          schema.type,
          'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
        ),
      ];
    }
    if (rootKeywords.includes(keyword)) continue;
    const detail = `only [${rootKeywords.join(" ")}] fields are allowed at the root of the schema if the status subresource is enabled`;
    return [{ ...fieldInvalid(path, schema, detail), valueText: printInternalSchema(schema) }];
  }
  return [];
}
