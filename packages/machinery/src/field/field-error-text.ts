/**
 * Field errors as text, byte for byte as the API server writes them.
 *
 *     FieldError[] → printFieldErrors → "[spec.replicas: Invalid value: -1: must be …, …]"
 */
import { formatGoFloat } from "../go/go-float.ts";
import type { FieldError, FieldErrorType } from "./field-error.ts";
import { printGoJson } from "../json/go-json.ts";
import { quoteGo } from "../go/go-quote.ts";

interface Wording {
  readonly text: string;
  readonly namesValue: boolean;
}

const wordings: Readonly<Record<FieldErrorType, Wording>> = {
  Required: { text: "Required value", namesValue: false },
  Invalid: { text: "Invalid value", namesValue: true },
  NotSupported: { text: "Unsupported value", namesValue: true },
  Duplicate: { text: "Duplicate value", namesValue: true },
  Forbidden: { text: "Forbidden", namesValue: false },
  TooLong: { text: "Too long", namesValue: false },
  TooMany: { text: "Too many", namesValue: true },
  TooFew: { text: "Too few", namesValue: true },
  TooShort: { text: "Too short", namesValue: false },
  NotFound: { text: "Not found", namesValue: true },
  TypeInvalid: { text: "Invalid value", namesValue: true },
  Internal: { text: "Internal error", namesValue: false },
};

/** The error with its field: `metadata.name: Invalid value: "A": …`. */
export function printFieldError(error: FieldError): string {
  return `${printErrorField(error)}: ${printFieldErrorBody(error)}`;
}

/** The error without its field: `Invalid value: "A": …`. */
export function printFieldErrorBody(error: FieldError): string {
  const { text, namesValue } = wordings[error.type];
  const value =
    namesValue && (error.valueText !== undefined || error.value !== undefined) ? `: ${error.valueText ?? printValue(error.value)}` : "";
  return `${text}${value}${error.detail === "" ? "" : `: ${error.detail}`}`;
}

/** All errors in one line without duplicates, in brackets when there are several; empty for none. */
export function printFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(printFieldError))];
  return texts.length > 1 ? `[${texts.join(", ")}]` : (texts[0] ?? "");
}

/** The path of the error's field; `<nil>` for an error that is not about one. */
export function printErrorField(error: FieldError): string {
  return error.field === "" ? "<nil>" : error.field;
}

function printValue(value: unknown): string {
  if (typeof value === "string") return quoteGo(value);
  // A fraction on its own prints differently than within a list: 0.00001 is 1e-05. Integers have 64 bits.
  if (typeof value === "number" && !Number.isSafeInteger(value)) return formatGoFloat(value);
  if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value) return formatGoFloat(Number(value));
  return printGoJson(value);
}
