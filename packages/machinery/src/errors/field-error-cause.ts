/**
 * A field error as a cause in the details of a Status, as the API server writes it.
 *
 *     FieldError → fieldErrorCause → StatusCause
 */
import type { FieldError, FieldErrorType } from "../field/field-error.ts";
import { printErrorField, printFieldErrorBody } from "../field/field-error-text.ts";
import type { StatusCause } from "../wire/status.ts";

const reasons: Readonly<Record<FieldErrorType, string>> = {
  Required: "FieldValueRequired",
  Invalid: "FieldValueInvalid",
  NotSupported: "FieldValueNotSupported",
  Duplicate: "FieldValueDuplicate",
  Forbidden: "FieldValueForbidden",
  TooLong: "FieldValueTooLong",
  TooMany: "FieldValueTooMany",
  TooFew: "FieldValueTooFew",
  TooShort: "FieldValueTooShort",
  NotFound: "FieldValueNotFound",
  TypeInvalid: "FieldValueTypeInvalid",
  Internal: "InternalError",
};

/** Returns the cause for this error: its reason, its text without the field, and the field. */
export function fieldErrorCause(error: FieldError): StatusCause {
  return { reason: reasons[error.type], message: printFieldErrorBody(error), field: printErrorField(error) };
}
