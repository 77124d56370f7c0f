/**
 * One thing wrong with one field, in the API server's own words.
 *
 *     validators → FieldError[] → a 422 Status with one cause each
 */
import { quoteGo } from "../go/go-quote.ts";
import type { FieldPath } from "./field-path.ts";

/** What kind of mistake it is; see {@link fieldErrorCause} for the reason each has on the wire. */
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

/** A mistake in one field. Plain data; make one with the functions below. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** Empty for the object as a whole, which the server prints as `<nil>`. */
  readonly field: FieldPath;
  /** What was found there; printed by the types that name the value. Undefined prints nothing, null prints `null`. */
  readonly value?: unknown;
  /** The value as the server prints it, where that is not how its JSON would print: keys in the order of a Go struct, say. */
  readonly valueText?: string;
  readonly detail: string;
}

/** A value that must be there is not. */
export function fieldRequired(field: FieldPath, detail = ""): FieldError {
  return { type: "Required", field, value: "", detail };
}

/** A value is malformed or out of bounds. */
export function fieldInvalid(field: FieldPath, value: unknown, detail: string): FieldError {
  return { type: "Invalid", field, value, detail };
}

/** A value is of the wrong type for its schema; prints like Invalid. */
export function fieldTypeInvalid(field: FieldPath, value: unknown, detail: string): FieldError {
  return { type: "TypeInvalid", field, value, detail };
}

/** A value is not one of the known ones, which are named in the given order. */
export function fieldNotSupported(field: FieldPath, value: unknown, validValues: readonly string[]): FieldError {
  return {
    type: "NotSupported",
    field,
    value,
    detail: validValues.length === 0 ? "" : `supported values: ${validValues.map(quoteGo).join(", ")}`,
  };
}

/** A value that must be unique is there twice. */
export function fieldDuplicate(field: FieldPath, value: unknown): FieldError {
  return { type: "Duplicate", field, value, detail: "" };
}

/** A value is well formed but not allowed here and now. */
export function fieldForbidden(field: FieldPath, detail: string): FieldError {
  return { type: "Forbidden", field, value: "", detail };
}

/** A value names something that does not exist. */
export function fieldNotFound(field: FieldPath, value: unknown): FieldError {
  return { type: "NotFound", field, value, detail: "" };
}

/** A text has more than `maxBytes` bytes; the text itself is not kept. A negative limit is not named. */
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

/** A text has fewer than `minCharacters` characters. A negative limit is not named. */
export function fieldTooShort(field: FieldPath, value: string, minCharacters: number): FieldError {
  return {
    type: "TooShort",
    field,
    value,
    detail: minCharacters < 0 ? "value is too short" : `must be at least ${count(minCharacters, "character")}`,
  };
}

/** A list has more than `max` items. A negative limit or a negative actual number is not named. */
export function fieldTooMany(field: FieldPath, actual: number, max: number): FieldError {
  const detail = max < 0 ? "has too many items" : `must have at most ${count(max, "item")}`;
  return { type: "TooMany", field, ...(actual >= 0 ? { value: actual } : {}), detail };
}

/** A list has fewer than `min` items. A negative limit is not named. */
export function fieldTooFew(field: FieldPath, actual: number, min: number): FieldError {
  return { type: "TooFew", field, value: actual, detail: min < 0 ? "has too few items" : `must have at least ${count(min, "item")}` };
}

/** The server itself failed while looking at the field. */
export function fieldInternal(field: FieldPath, detail: string): FieldError {
  return { type: "Internal", field, detail };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
