/**
 * No response, or an unusable one. A well-formed answer of the server, also a refusal, is an `ApiError` instead.
 *
 *     Transport rejects, the body is truncated, a proxy answers with a web page → ResponseError
 */
import { UnknownOutcomeError, isUnknownOutcomeError, errorText, errorBrand } from "@drover/machinery";
import type { GroupResource } from "@drover/machinery";
import type { ProblemCode } from "@drover/machinery/codes";
import { isTransportError } from "../transport/transport-error.ts";
import { isSafe } from "../transport/request-nature.ts";

/** Describes a request in its errors. */
export interface RequestAbout {
  /** The operation, for people: "update pods/web-0 in shop". */
  readonly attempt: string;
  /** The HTTP method. */
  readonly method: string;
  /** Resource of the request. @default none */
  readonly resource?: GroupResource;
  /** The name of the object. @default none */
  readonly name?: string;
}

/** Why a response cannot be used. */
export type ResponseErrorReason =
  /** The transport failed before the response headers arrived; see the cause. */
  | "unanswered"
  /** The response was truncated. */
  | "lost"
  /** The response exceeds the size limit. */
  | "too-large"
  /** The response is not JSON, but for example a web page. */
  | "content-type"
  /** The response has no body where one is required. */
  | "empty"
  /** The response claims to be JSON but is not. */
  | "json";

const codes: Readonly<Partial<Record<ResponseErrorReason, ProblemCode>>> = {
  "content-type": "DRV0323",
  json: "DRV0324",
};

const brand = errorBrand<ResponseError>("ResponseError");

/** A response that cannot be used. The message names the operation. Never contains the request, its headers or its credentials. */
export class ResponseError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "ResponseError";
  readonly reason: ResponseErrorReason;
  readonly problemCode: ProblemCode | undefined;
  readonly attempt: string;
  /** Status code of the response; undefined without response headers. */
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
    this.problemCode = codes[reason];
    this.statusCode = statusCode;
  }
}

/** Reports whether the error is a `ResponseError`, also one of another copy of this package. */
export function isResponseError(error: unknown): error is ResponseError {
  return brand.is(error);
}

/**
 * Returns the error for a transport that rejected. Keeps an abort, and an `UnknownOutcomeError`, which already names the
 * operation. A write that may have reached the server becomes an `UnknownOutcomeError`.
 */
export function unanswered({ attempt, method }: RequestAbout, cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason;
  if (isUnknownOutcomeError(cause)) return cause;
  if (!isSafe({ method }) && isTransportError(cause) && cause.sent === "maybe")
    return new UnknownOutcomeError({ attempt, why: cause.message, cause });
  return new ResponseError(attempt, "unanswered", errorText(cause), { cause });
}

/** Returns the error for a truncated body. The outcome of a write is then unknown. */
export function lost({ attempt, method }: RequestAbout, statusCode: number, cause: unknown): ResponseError | UnknownOutcomeError {
  if (isSafe({ method }))
    return new ResponseError(attempt, "lost", `the connection was lost while reading the response: ${errorText(cause)}`, {
      statusCode,
      cause,
    });
  return new UnknownOutcomeError({ attempt, why: `the response (status ${statusCode}) was truncated: ${errorText(cause)}`, cause });
}
