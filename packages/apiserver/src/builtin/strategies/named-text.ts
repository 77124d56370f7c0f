/**
 * Errors about values whose type has a name of its own in the server: such texts are printed as JSON, plain ones as Go
 * quotes them, and structs
 * with all their fields in the order they are declared.
 */
import { fieldDuplicate, fieldInvalid, fieldNotSupported, printGoJson } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";

/** Like `fieldNotSupported`, for a text of a named type. */
export function unsupportedName(path: FieldPath, value: string, supported: readonly string[]): FieldError {
  return { ...fieldNotSupported(path, value, supported), valueText: printGoJson(value) };
}

/** Like `fieldInvalid`, for a text of a named type. */
export function invalidName(path: FieldPath, value: string, detail: string): FieldError {
  return { ...fieldInvalid(path, value, detail), valueText: printGoJson(value) };
}

/** Like `fieldDuplicate`, for a text of a named type. */
export function duplicateName(path: FieldPath, value: string): FieldError {
  return { ...fieldDuplicate(path, value), valueText: printGoJson(value) };
}

/** Like `fieldInvalid`, for a struct, whose fields are given by the names and in the order the server declares them. */
export function invalidStruct(path: FieldPath, fields: unknown, detail: string): FieldError {
  return { ...fieldInvalid(path, fields, detail), valueText: structText(fields) };
}

/** JSON with the members of objects in the order they are given. */
export function structText(value: unknown): string {
  if (typeof value !== "object" || value === null) return printGoJson(value);
  if (Array.isArray(value)) return `[${value.map(structText).join(",")}]`;
  return `{${Object.entries(value)
    .map(([name, member]) => `${printGoJson(name)}:${structText(member)}`)
    .join(",")}}`;
}
