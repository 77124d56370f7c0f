/**
 * One thing wrong with one field, in the API server's own words.
 *
 *     validators → FieldError[] → a 422 Status with one cause each
 */
import type { FieldPath } from "./field-path.ts";

export type FieldErrorType =
  | "Required" | "Invalid" | "NotSupported" | "Duplicate" | "Forbidden" | "TooLong" | "TooMany" | "TooFew" | "TooShort" | "NotFound" | "TypeInvalid" | "Internal";

export interface FieldError {
  readonly type: FieldErrorType;
  /** Empty for the object as a whole, which the server prints as `<nil>`. */
  readonly field: FieldPath;
  /** What was found there; printed by the types that name the value. */
  readonly value?: unknown;
  readonly detail: string;
}
