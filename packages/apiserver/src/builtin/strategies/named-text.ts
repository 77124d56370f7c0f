/**
 * Errors about values of named Go types: kube-apiserver prints such strings as JSON, plain ones quoted, and structs with all
 * fields in order of declaration.
 */
import { fieldDuplicate, fieldInvalid, fieldNotSupported, printGoJson } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";

/** Like `fieldNotSupported`, for a string of a named type. */
export function unsupportedName(path: FieldPath, value: string, supported: readonly string[]): FieldError {
  return { ...fieldNotSupported(path, value, supported), valueText: printGoJson(value) };
}

/** Like `fieldInvalid`, for a string of a named type. */
export function invalidName(path: FieldPath, value: string, detail: string): FieldError {
  return { ...fieldInvalid(path, value, detail), valueText: printGoJson(value) };
}

/** Like `fieldDuplicate`, for a string of a named type. */
export function duplicateName(path: FieldPath, value: string): FieldError {
  return { ...fieldDuplicate(path, value), valueText: printGoJson(value) };
}

/** Like `fieldInvalid`, for a struct with its fields in declaration order. */
export function invalidStruct(path: FieldPath, fields: unknown, detail: string): FieldError {
  return { ...fieldInvalid(path, fields, detail), valueText: structText(fields) };
}

/** Prints JSON with members in the given order. */
export function structText(value: unknown): string {
  if (typeof value !== "object" || value === null) return printGoJson(value);
  if (Array.isArray(value)) return `[${value.map(structText).join(",")}]`;
  return `{${Object.entries(value)
    .map(([name, member]) => `${printGoJson(name)}:${structText(member)}`)
    .join(",")}}`;
}
