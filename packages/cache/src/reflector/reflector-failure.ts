/**
 * What an error means for a reflector: which of a few things it should do about it.
 *
 *     whatever a list or a watch threw, or the Status of an ERROR event → failureOf → Failure → reflector-state.ts
 */
import { isTransportError, isResponseError, isWatchSilenceError } from "@drover/client";
import {
  findApiError,
  findCause,
  isBadRequest,
  isExpired,
  isInvalid,
  isMethodNotAllowed,
  isNotAcceptable,
  isStoreReadError,
  isTooLargeResourceVersion,
  isTooManyRequests,
  suggestsClientDelay,
  isWatchFrameError,
} from "@drover/machinery";

/**
 * - `expired` the version or page is no longer there (410 in every form)
 * - `too-large` the server has not come to the version we ask for (504 with its cause)
 * - `throttled` 429: come back later
 * - `unreachable` nobody answered at all
 * - `lost` the stream broke off or is corrupt: what came before is good
 * - `silent` not a byte for too long: half-open
 * - `unsupported` the server does not know what we ask for (400, 405, 406, 422)
 * - `unwilling` an answer that says nothing about our version (401, 403, 5xx before the stream began)
 * - `protocol` the server contradicts itself: a bookmark older than the last event
 * - `asked` somebody asked for a list
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
  /** How long the server asks us to stay away; 0 when it does not ask. */
  readonly retryAfterMs: number;
}

/** The server broke the rules of a watch: what it says cannot follow on what it said before. */
export class WatchProtocolError extends Error {
  override readonly name = "WatchProtocolError";
}

/** The reason a stream ends with when somebody asked the reflector to list. */
export class RelistAsked extends Error {
  override readonly name = "RelistAsked";
}

/** Where the error came from: an answer to a request, or an ERROR event in the middle of a stream. */
export type FailureOrigin = "request" | "event";

/** What this error means. Looks through causes; never throws. */
export function failureOf(error: unknown, origin: FailureOrigin): Failure {
  return { kind: kindOf(error, origin), retryAfterMs: (suggestsClientDelay(error) ?? 0) * 1000 };
}

function kindOf(error: unknown, origin: FailureOrigin): FailureKind {
  if (error instanceof RelistAsked) return "asked";
  if (error instanceof WatchProtocolError) return "protocol";
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
  // Inside a stream such an answer means that something between two events went wrong; and what cannot be read back may have been deleted.
  if (origin === "event" || isStoreReadError(error)) return "other";
  const code = findApiError(error)?.code ?? 0;
  return code >= 500 || code === 401 || code === 403 ? "unwilling" : "other";
}
