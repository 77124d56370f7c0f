/**
 * No answer, or none that can be used. What the server says in good order, a refusal included, is an `ApiError` instead.
 *
 *     Transport rejects, the body breaks off, a proxy answers with a web page → ResponseError
 */
import { UnknownOutcomeError, isUnknownOutcomeError, errorText, errorBrand } from "@drover/machinery";
import type { GroupResource } from "@drover/machinery";
import { isTransportError } from "../transport/transport-error.ts";
import { isSafe } from "../transport/request-nature.ts";

/** What a request was about; its errors say so. */
export interface RequestAbout {
  /** What was tried, for people: "update pods/web-0 in shop". */
  readonly attempt: string;
  /** The HTTP method. */
  readonly method: string;
  /** What the request was about. @default no resource */
  readonly resource?: GroupResource;
  /** The name of the object. @default none */
  readonly name?: string;
}

/** Why an answer cannot be used. */
export type ResponseErrorReason =
  /** The transport failed before the head of an answer came; the cause says how. */
  | "unanswered"
  /** The answer broke off. */
  | "lost"
  /** The answer is larger than we take. */
  | "too-large"
  /** The answer is not JSON, but a web page for instance. */
  | "content-type"
  /** The answer has no body where one is needed. */
  | "empty"
  /** The answer says it is JSON and is not. */
  | "json";

const brand = errorBrand<ResponseError>("ResponseError");

/** An answer that cannot be used. The message names what was tried. Never holds the request, its headers or its credentials. */
export class ResponseError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "ResponseError";
  readonly reason: ResponseErrorReason;
  readonly attempt: string;
  /** The code of the answer's head, undefined when there was none. */
  readonly statusCode: number | undefined;

  constructor(
    attempt: string,
    reason: ResponseErrorReason,
    message: string,
    { statusCode, cause }: { readonly statusCode?: number; readonly cause?: unknown } = {},
  ) {
    super(`${attempt}: ${message}`, { cause });
    this.attempt = attempt;
    this.reason = reason;
    this.statusCode = statusCode;
  }
}

/** Reports whether the error is a `ResponseError`, also one of another copy of this package. */
export function isResponseError(error: unknown): error is ResponseError {
  return brand.is(error);
}

/**
 * The error for a transport that rejected. An abort stays what it was, and so does an unknown outcome, which names its attempt already.
 * A write of which the transport says that the server may have seen it has an unknown outcome too.
 */
export function unanswered({ attempt, method }: RequestAbout, cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (isUnknownOutcomeError(cause)) return cause;
  if (!isSafe({ method }) && isTransportError(cause) && cause.sent === "maybe")
    return new UnknownOutcomeError({ attempt, why: cause.message, cause });
  return new ResponseError(attempt, "unanswered", errorText(cause), { cause });
}

/** The error for an answer whose body broke off. Of a write nobody knows then what became of it. */
export function lost({ attempt, method }: RequestAbout, statusCode: number, cause: unknown): ResponseError | UnknownOutcomeError {
  if (isSafe({ method }))
    return new ResponseError(attempt, "lost", `the connection was lost while the answer was read: ${errorText(cause)}`, {
      statusCode,
      cause,
    });
  return new UnknownOutcomeError({ attempt, why: `the answer, ${statusCode}, broke off: ${errorText(cause)}`, cause });
}
