/**
 * What creating, updating and patching can be asked for, in the query.
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
  /** ["All"] does everything but keep the result. @default the result is kept */
  readonly dryRun?: readonly string[];
  /** Who owns the fields that are written. @default made from the user agent; server-side apply must name one */
  readonly fieldManager?: string;
  /** What the server does about fields it does not know and keys that appear twice. @default "Warn" */
  readonly fieldValidation?: FieldValidation;
}

/** The same as for creating. */
export interface UpdateOptions extends CreateOptions {}

export interface PatchOptions extends UpdateOptions {
  /** Takes fields away from other managers; only for server-side apply. @default false */
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

/** Reads the query of a create or an update. Assumes nothing about the values: validate them next. */
export function parseWriteOptions(query: Query): UpdateOptions {
  return definedOnly({
    dryRun: query.get("dryRun"),
    fieldManager: readText(query, "fieldManager"),
    fieldValidation: readText(query, "fieldValidation") as FieldValidation | undefined,
  } satisfies AllMembers<UpdateOptions>);
}

/** Reads the query of a patch. */
export function parsePatchOptions(query: Query): PatchOptions {
  const force = readBoolean(query, "force");
  return force === undefined ? parseWriteOptions(query) : { ...parseWriteOptions(query), force };
}

/** What is wrong with the options of a create or an update. The server answers with 422, kind "CreateOptions" or "UpdateOptions". */
export function validateWriteOptions({ dryRun = [], fieldManager = "", fieldValidation }: UpdateOptions): FieldError[] {
  const errors = [...validateFieldManager(fieldManager, "fieldManager"), ...validateDryRun(dryRun)];
  if (fieldValidation !== undefined && !["Ignore", "Strict", "Warn"].includes(fieldValidation)) {
    errors.push(fieldNotSupported("fieldValidation", fieldValidation, ["", "Ignore", "Strict", "Warn"]));
  }
  return errors;
}

/** What is wrong with the options of a patch of this type. The server answers with 422, kind "PatchOptions". */
export function validatePatchOptions(options: PatchOptions, patchType: PatchType): FieldError[] {
  const errors: FieldError[] = [];
  if (patchType === "apply" && !options.fieldManager) errors.push(fieldRequired("fieldManager", "is required for apply patch"));
  if (patchType !== "apply" && options.force !== undefined)
    errors.push(fieldForbidden("force", "may not be specified for non-apply patch"));
  return [...errors, ...validateWriteOptions(options)];
}

/** The one way to run dry is "All". */
export function validateDryRun(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === "All") ? [] : [fieldNotSupported("dryRun", dryRun, ["All"])];
}
