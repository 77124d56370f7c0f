/** Validates paths inside volumes, which must not leave them, and file modes. */
import { fieldInvalid } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";

/** Must be relative and contain no `..`. */
export function validateDescendingPath(value: string, path: FieldPath): FieldError[] {
  const absolute = value.startsWith("/") ? [fieldInvalid(path, value, "must be a relative path")] : [];
  return [...absolute, ...validateNoBacksteps(value, path)];
}

/** Additionally must not start with `..`, which the kubelet's own files do. */
export function validateUnreservedPath(value: string, path: FieldPath): FieldError[] {
  const errors = validateDescendingPath(value, path);
  if (value.startsWith("..") && !value.startsWith("../")) errors.push(fieldInvalid(path, value, "must not start with '..'"));
  return errors;
}

/** Must not contain `..` as an element. */
export function validateNoBacksteps(value: string, path: FieldPath): FieldError[] {
  return value.split("/").includes("..") ? [fieldInvalid(path, value, "must not contain '..'")] : [];
}

/** Optional. */
export function validateFileMode(mode: number | undefined, path: FieldPath): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777)
    ? [fieldInvalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive")]
    : [];
}
