/**
 * One error in one field, in the API server's words.
 *
 *     validators → FieldError[] → a 422 Status with one cause each
 */
import { quoteGo } from "../go/go-quote.ts";
import type { FieldPath } from "./field-path.ts";

/** Type of the error; {@link fieldErrorCause} has its reason on the wire. */
export type FieldErrorType =
  | "Required"
  | "Invalid"
  | "NotSupported"
  | "Duplicate"
  | "Forbidden"
  | "TooLong"
  | "TooMany"
  | "TooFew"
  | "TooShort"
  | "NotFound"
  | "TypeInvalid"
  | "Internal";

/** An error in one field. Plain data, built by the functions below. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** Empty for the whole object, which the server prints as `<nil>`. */
  readonly field: FieldPath;
  /** The offending value, printed for types that name it. Undefined prints nothing, null prints `null`. */
  readonly value?: unknown;
  /** The value as the server prints it where its JSON differs, for example keys in the order of a Go struct. */
  readonly valueText?: string;
  readonly detail: string;
}

/** A required value is missing. */
export function fieldRequired(field: FieldPath, detail = ""): FieldError {
  return { type: "Required", field, value: "", detail };
}

/** A value is malformed or out of range. */
export function fieldInvalid(field: FieldPath, value: unknown, detail: string): FieldError {
  return { type: "Invalid", field, value, detail };
}

/** A value has the wrong type for its schema; prints like Invalid. */
export function fieldTypeInvalid(field: FieldPath, value: unknown, detail: string): FieldError {
  return { type: "TypeInvalid", field, value, detail };
}

/** A value is not one of the supported ones, which are listed in the given order. */
export function fieldNotSupported(field: FieldPath, value: unknown, validValues: readonly string[]): FieldError {
  return {
    type: "NotSupported",
    field,
    value,
    detail: validValues.length === 0 ? "" : `supported values: ${validValues.map(quoteGo).join(", ")}`,
  };
}

/** A value that must be unique occurs twice. */
export function fieldDuplicate(field: FieldPath, value: unknown): FieldError {
  return { type: "Duplicate", field, value, detail: "" };
}

/** A value is well formed but not allowed here. */
export function fieldForbidden(field: FieldPath, detail: string): FieldError {
  return { type: "Forbidden", field, value: "", detail };
}

/** A value names something that does not exist. */
export function fieldNotFound(field: FieldPath, value: unknown): FieldError {
  return { type: "NotFound", field, value, detail: "" };
}

/** A text has more than `maxBytes` bytes; the text itself is not kept. A negative limit is not printed. */
export function fieldTooLong(field: FieldPath, maxBytes: number): FieldError {
  return {
    type: "TooLong",
    field,
    value: "<value omitted>",
    detail: maxBytes < 0 ? "value is too long" : `may not be more than ${count(maxBytes, "byte")}`,
  };
}

/** Like {@link fieldTooLong}, for limits that count characters. */
export function fieldTooLongCharacters(field: FieldPath, maxCharacters: number): FieldError {
  const detail = maxCharacters < 0 ? "value is too long" : `may not be more than ${count(maxCharacters, "character")}`;
  return { type: "TooLong", field, value: "<value omitted>", detail };
}

/** A text has fewer than `minCharacters` characters. A negative limit is not printed. */
export function fieldTooShort(field: FieldPath, value: string, minCharacters: number): FieldError {
  return {
    type: "TooShort",
    field,
    value,
    detail: minCharacters < 0 ? "value is too short" : `must be at least ${count(minCharacters, "character")}`,
  };
}

/** A list has more than `max` items. A negative limit or number is not printed. */
export function fieldTooMany(field: FieldPath, actual: number, max: number): FieldError {
  const detail = max < 0 ? "has too many items" : `must have at most ${count(max, "item")}`;
  return { type: "TooMany", field, ...(actual >= 0 ? { value: actual } : {}), detail };
}

/** A list has fewer than `min` items. A negative limit is not printed. */
export function fieldTooFew(field: FieldPath, actual: number, min: number): FieldError {
  return { type: "TooFew", field, value: actual, detail: min < 0 ? "has too few items" : `must have at least ${count(min, "item")}` };
}

/** The server failed while validating the field. */
export function fieldInternal(field: FieldPath, detail: string): FieldError {
  return { type: "Internal", field, detail };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
