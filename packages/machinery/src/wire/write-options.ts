/**
 * Options of create, update and patch, in the query.
 *
 *     PatchOptions → encodeWriteOptions → query → parsePatchOptions → validatePatchOptions
 */
import { fieldForbidden, fieldNotSupported, fieldRequired } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import type { PatchType } from "../patch/patch-type.ts";
import { validateFieldManager } from "../validation/managed-fields.ts";
import { definedOnly } from "../json/defined-only.ts";
import type { AllMembers } from "../json/defined-only.ts";
import { encodeQuery, readBoolean, readText } from "./query.ts";
import type { Query } from "./query.ts";

export type FieldValidation = "Ignore" | "Warn" | "Strict";

export interface CreateOptions {
  /** ["All"] for a dry run. @default no dry run */
  readonly dryRun?: readonly string[];
  /** Owner of the written fields. @default derived from the user agent; required for server-side apply */
  readonly fieldManager?: string;
  /** What the server does about unknown fields and duplicate keys. @default "Warn" */
  readonly fieldValidation?: FieldValidation;
}

/** The same as for create. */
export interface UpdateOptions extends CreateOptions {}

export interface PatchOptions extends UpdateOptions {
  /** Takes fields from other managers; only for server-side apply. @default false */
  readonly force?: boolean;
}

/** Writes the query of a create, an update or a patch. */
export function encodeWriteOptions({ dryRun = [], fieldManager, fieldValidation, force }: PatchOptions): string {
  return encodeQuery([
    ...dryRun.map((value) => ["dryRun", value || undefined] as const),
    ["fieldManager", fieldManager || undefined],
    ["fieldValidation", fieldValidation || undefined],
    ["force", force],
  ]);
}

/** Parses the query of a create or an update. Does not validate. */
export function parseWriteOptions(query: Query): UpdateOptions {
  return definedOnly({
    dryRun: query.get("dryRun"),
    fieldManager: readText(query, "fieldManager"),
    fieldValidation: readText(query, "fieldValidation") as FieldValidation | undefined,
  } satisfies AllMembers<UpdateOptions>);
}

/** Parses the query of a patch. Does not validate. */
export function parsePatchOptions(query: Query): PatchOptions {
  const force = readBoolean(query, "force");
  return force === undefined ? parseWriteOptions(query) : { ...parseWriteOptions(query), force };
}

/** Returns the errors of create or update options. The server responds with 422, kind "CreateOptions" or "UpdateOptions". */
export function validateWriteOptions({ dryRun = [], fieldManager = "", fieldValidation }: UpdateOptions): FieldError[] {
  const errors = [...validateFieldManager(fieldManager, "fieldManager"), ...validateDryRun(dryRun)];
  if (fieldValidation !== undefined && !["Ignore", "Strict", "Warn"].includes(fieldValidation)) {
    errors.push(fieldNotSupported("fieldValidation", fieldValidation, ["", "Ignore", "Strict", "Warn"]));
  }
  return errors;
}

/** Returns the errors of options for a patch of this type. The server responds with 422, kind "PatchOptions". */
export function validatePatchOptions(options: PatchOptions, patchType: PatchType): FieldError[] {
  const errors: FieldError[] = [];
  if (patchType === "apply" && !options.fieldManager) errors.push(fieldRequired("fieldManager", "is required for apply patch"));
  if (patchType !== "apply" && options.force !== undefined)
    errors.push(fieldForbidden("force", "may not be specified for non-apply patch"));
  return [...errors, ...validateWriteOptions(options)];
}

/** The only valid dry run is "All". */
export function validateDryRun(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === "All") ? [] : [fieldNotSupported("dryRun", dryRun, ["All"])];
}
