/**
 * Codes of problems: each has a page, which `drover explain` prints.
 *
 *     withCode("desired is async", "DRV0204") → "desired is async [DRV0204]"
 */
import { errorText, isError } from "../error-text.ts";
import { findCause } from "./api-error.ts";

/** "DRV0204". A code is never used for another problem, also not in later versions. */
export type ProblemCode = `DRV${number}`;

/** An error that has a code. */
export interface CodedError extends Error {
  readonly problemCode: ProblemCode;
}

/** Returns the message with the code at the end of its first line, which says what is wrong; further lines say what to do. */
export function withCode(message: string, code: ProblemCode | undefined): string {
  if (code === undefined) return message;
  const [first = message] = message.split("\n", 1);
  const end = first.endsWith(":") ? first.length - 1 : first.length;
  return `${message.slice(0, end)} [${code}]${message.slice(end)}`;
}

/** Returns the code of an error, or of the first of its causes that has one. Never throws. */
export function problemCode(error: unknown): ProblemCode | undefined {
  return findCause(error, isCoded)?.problemCode;
}

/** Returns the message of an error with its code. Never throws. */
export function codedText(error: unknown): string {
  const text = errorText(error);
  const code = problemCode(error);
  return code === undefined || text.includes(`[${code}]`) ? text : withCode(text, code);
}

/** Returns the code of the error among the fields of a log line; none if they have a code already. Never throws. */
export function fieldsCode(fields: Readonly<Record<string, unknown>>): ProblemCode | undefined {
  try {
    return "code" in fields ? undefined : problemCode(fields["error"]);
  } catch {
    return undefined;
  }
}

/** Reports whether a value is a code. */
export function isProblemCode(value: unknown): value is ProblemCode {
  return typeof value === "string" && /^DRV\d{4}$/.test(value);
}

/** Errors are values of users too: a getter may throw. */
function isCoded(error: unknown): error is CodedError {
  try {
    return isError(error) && isProblemCode((error as Partial<CodedError>).problemCode);
  } catch {
    return false;
  }
}
