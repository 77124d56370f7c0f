/** Paths inside volumes, which must not lead out of them, and the modes of files there. */
import { fieldInvalid } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";

/** A path that goes only down: relative and without `..`. */
export function validateDescendingPath(value: string, path: FieldPath): FieldError[] {
  const absolute = value.startsWith("/") ? [fieldInvalid(path, value, "must be a relative path")] : [];
  return [...absolute, ...validateNoBacksteps(value, path)];
}

/** A path that goes only down and does not look like one of the kubelet's own files, which start with `..`. */
export function validateUnreservedPath(value: string, path: FieldPath): FieldError[] {
  const errors = validateDescendingPath(value, path);
  if (value.startsWith("..") && !value.startsWith("../")) errors.push(fieldInvalid(path, value, "must not start with '..'"));
  return errors;
}

/** A path without `..` as one of its elements. */
export function validateNoBacksteps(value: string, path: FieldPath): FieldError[] {
  return value.split("/").includes("..") ? [fieldInvalid(path, value, "must not contain '..'")] : [];
}

/** The permissions of a file; none is fine. */
export function validateFileMode(mode: number | undefined, path: FieldPath): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777)
    ? [fieldInvalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive")]
    : [];
}
