/**
 * Classifies errors of lists and watches, for the decision what a reflector does next.
 *
 *     error of a list or watch, or the Status of an ERROR event → failureOf → Failure → reflector-state.ts
 */
import { isTransportError, isResponseError, isWatchSilenceError } from "@drover/client";
import {
  errorBrand,
  findApiError,
  findCause,
  isBadRequest,
  isExpired,
  isInstanceOf,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isStoreReadError,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isWatchFrameError,
  suggestsClientDelay,
} from "@drover/machinery";

/**
 * - `expired` the server no longer has the version or page (410 in every form)
 * - `too-large` the server has not reached the requested version yet (504 with its cause)
 * - `throttled` 429: retry later
 * - `unreachable` there was no response
 * - `lost` the stream was cut off or is corrupt; the events before are valid
 * - `silent` no byte for too long: a half-open connection
 * - `unsupported` the server does not support the request (400, 405, 406, 422)
 * - `unwilling` an error response that says nothing about the version (401, 403, 5xx before the stream started)
 * - `protocol` the server contradicts itself: a bookmark older than the last event
 * - `asked` a relist was requested
 * - `other` everything else
 */
export type FailureKind =
  | "expired"
  | "too-large"
  | "throttled"
  | "unreachable"
  | "lost"
  | "silent"
  | "unsupported"
  | "unwilling"
  | "protocol"
  | "asked"
  | "other";

export interface Failure {
  readonly kind: FailureKind;
  /** Delay that the server requests; 0 if it requests none. */
  readonly retryAfterMs: number;
}

const brand = errorBrand<WatchProtocolError>("WatchProtocolError");

/** The server violated the watch protocol: an event cannot follow the events before it. */
export class WatchProtocolError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "WatchProtocolError";
}

/** Reports whether the error is a `WatchProtocolError`, also one of another copy of this package. */
export const isWatchProtocolError = (error: unknown): error is WatchProtocolError => brand.is(error);

/** Reason with which a stream ends when a relist is requested. Internal, so it needs no brand. */
export class RelistAsked extends Error {
  override readonly name = "RelistAsked";
}

/** Where the error came from: a response, or an ERROR event within a stream. */
export type FailureOrigin = "request" | "event";

/** Classifies an error, including its causes. Never throws. */
export function failureOf(error: unknown, origin: FailureOrigin): Failure {
  return { kind: kindOf(error, origin), retryAfterMs: (suggestsClientDelay(error) ?? 0) * 1000 };
}

function kindOf(error: unknown, origin: FailureOrigin): FailureKind {
  if (isInstanceOf(error, RelistAsked)) return "asked";
  if (isWatchProtocolError(error)) return "protocol";
  if (findApiError(error) !== undefined) return answerKind(error, origin);
  if (isWatchSilenceError(error)) return "silent";
  if (isWatchFrameError(error)) return "lost";
  const response = findCause(error, isResponseError);
  if (response?.reason === "unanswered") return "unreachable";
  if (response?.reason === "lost") return "lost";
  if (response === undefined && findCause(error, isTransportError) !== undefined) return "unreachable";
  return "other";
}

function answerKind(error: unknown, origin: FailureOrigin): FailureKind {
  if (isExpired(error)) return "expired";
  if (isTooLargeResourceVersion(error)) return "too-large";
  if (isTooManyRequests(error)) return "throttled";
  if (isBadRequest(error) || isInvalid(error) || isMethodNotAllowed(error) || isNotAcceptable(error)) return "unsupported";
  // Within a stream, such a status means that events may be missing; and an object that the server cannot read may have been deleted.
  if (origin === "event" || isStoreReadError(error)) return "other";
  const code = findApiError(error)?.code ?? 0;
  return code >= 500 || code === 401 || code === 403 ? "unwilling" : "other";
}
