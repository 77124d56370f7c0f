/**
 * Predicates for errors. Each accepts anything that was thrown, searches its causes and compares the reason; the HTTP code decides
 * only when the reason is missing or unknown. None of them throws, whatever was thrown.
 */
import type { DeepReadonly } from "../json/readonly.ts";
import type { StatusCause } from "../wire/status.ts";
import { findApiError, findCause, isApiError } from "./api-error.ts";
import type { ApiError } from "./api-error.ts";
import { isUnknownOutcomeError } from "./unknown-outcome.ts";
import type { UnknownOutcomeError } from "./unknown-outcome.ts";

/** Reasons that API servers give. */
export type StatusReason =
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Invalid"
  | "ServerTimeout"
  | "StorageReadError"
  | "Timeout"
  | "TooManyRequests"
  | "BadRequest"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "InternalError"
  | "Expired"
  | "ServiceUnavailable";

type ErrorPredicate = (error: unknown) => boolean;

const knownReasons: ReadonlySet<string> = new Set<StatusReason>([
  "Unauthorized",
  "Forbidden",
  "NotFound",
  "AlreadyExists",
  "Conflict",
  "Gone",
  "Invalid",
  "ServerTimeout",
  "StorageReadError",
  "Timeout",
  "TooManyRequests",
  "BadRequest",
  "MethodNotAllowed",
  "NotAcceptable",
  "RequestEntityTooLarge",
  "UnsupportedMediaType",
  "InternalError",
  "Expired",
  "ServiceUnavailable",
]);

/** Returns the reason of the first error in the chain that has one: the server's, or "OutcomeUnknown". Empty without one. */
export function reasonForError(error: unknown): string {
  const isSought = (candidate: unknown): candidate is ApiError | UnknownOutcomeError =>
    isApiError(candidate) || isUnknownOutcomeError(candidate);
  return ask(() => findCause(error, isSought)?.reason ?? "", "");
}

/** 400: the request is malformed. */
export const isBadRequest: ErrorPredicate = reasonOrCode("BadRequest", 400);
/** 401: the server does not know the caller. */
export const isUnauthorized: ErrorPredicate = reasonOrCode("Unauthorized", 401);
/** 403: the caller is not allowed to do this. */
export const isForbidden: ErrorPredicate = reasonOrCode("Forbidden", 403);
/** 404: no such object or no such resource. */
export const isNotFound: ErrorPredicate = reasonOrCode("NotFound", 404);
/** 405: the resource does not support this verb. */
export const isMethodNotAllowed: ErrorPredicate = reasonOrCode("MethodNotAllowed", 405);
/** 406: the server supports no media type that the client accepts. */
export const isNotAcceptable: ErrorPredicate = reasonOrCode("NotAcceptable", 406);
/** 409: an object of that name exists. Compares the reason alone, because a conflict has the same code. */
export const isAlreadyExists: ErrorPredicate = reasonAlone("AlreadyExists");
/** 409: the object changed since it was read, or another manager owns the field. */
export const isConflict: ErrorPredicate = reasonOrCode("Conflict", 409);
/** 410 in its older form. Most callers want {@link isExpired}. */
export const isGone: ErrorPredicate = reasonOrCode("Gone", 410);
/** 410 in every form servers have used: the resource version or continue token is no longer available; list again. */
export const isExpired: ErrorPredicate = (error) => isReason(error, "Expired") || isGone(error);
/** 413: the request is too large, by reason or by code. */
export const isRequestEntityTooLarge: ErrorPredicate = (error) => isEither(error, "RequestEntityTooLarge", 413);
/** 415: the server does not support the request's media type. */
export const isUnsupportedMediaType: ErrorPredicate = reasonOrCode("UnsupportedMediaType", 415);
/** 422: the object is invalid; the causes name the fields. */
export const isInvalid: ErrorPredicate = reasonOrCode("Invalid", 422);
/** 429: too many requests, by reason or by code; wait as told, then retry. */
export const isTooManyRequests: ErrorPredicate = (error) => isEither(error, "TooManyRequests", 429);
/** 500: internal error of the server. */
export const isInternalError: ErrorPredicate = reasonOrCode("InternalError", 500);
/** 500: the server could not do it now and asks for a retry. By reason alone. */
export const isServerTimeout: ErrorPredicate = reasonAlone("ServerTimeout");
/** 500: the stored object cannot be decoded. By reason alone. */
export const isStoreReadError: ErrorPredicate = reasonAlone("StorageReadError");
/** 503: the server, or the one behind it, is unavailable. */
export const isServiceUnavailable: ErrorPredicate = reasonOrCode("ServiceUnavailable", 503);
/** 504: timeout; a write may still have happened. */
export const isTimeout: ErrorPredicate = reasonOrCode("Timeout", 504);
/** The response is not the API server's; a proxy may have sent it. */
export const isUnexpectedServerError: ErrorPredicate = (error) => hasStatusCause(error, "UnexpectedServerResponse");

/** The requested version has not reached this server yet; also recognizes servers before 1.19. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (hasStatusCause(error, "ResourceVersionTooLarge")) return true;
  const old = "Too large resource version";
  return ask(() => {
    const answer = findApiError(error);
    if (answer?.details === undefined || !isTimeout(answer)) return false;
    return answer.message.includes(old) || answer.details.causes?.some((cause) => cause.message === old) === true;
  }, false);
}

/** Returns the first cause with this reason in the details of the server's response. */
export function statusCause(error: unknown, reason: string): DeepReadonly<StatusCause> | undefined {
  return ask(() => findApiError(error)?.details?.causes?.find((cause) => cause.reason === reason), undefined);
}

/** Whether the details of the server's response have a cause with this reason. */
export function hasStatusCause(error: unknown, reason: string): boolean {
  return statusCause(error, reason) !== undefined;
}

/** Returns how many seconds the server asks to wait; undefined without a request. Does not say whether a retry is safe. */
export function suggestsClientDelay(error: unknown): number | undefined {
  return ask(() => {
    const answer = findApiError(error);
    if (answer === undefined) return undefined;
    if (answer.reason === "ServerTimeout" && answer.details !== undefined) return answer.retryAfterSeconds ?? 0;
    return answer.retryAfterSeconds !== undefined && answer.retryAfterSeconds > 0 ? answer.retryAfterSeconds : undefined;
  }, undefined);
}

function reasonOrCode(reason: StatusReason, code: number): ErrorPredicate {
  return (error) =>
    ask(() => {
      const answer = findApiError(error);
      return answer !== undefined && (answer.reason === reason || (answer.code === code && !knownReasons.has(answer.reason)));
    }, false);
}

function reasonAlone(reason: StatusReason): ErrorPredicate {
  return (error) => isReason(error, reason);
}

function isReason(error: unknown, reason: StatusReason): boolean {
  return ask(() => findApiError(error)?.reason === reason, false);
}

function isEither(error: unknown, reason: StatusReason, code: number): boolean {
  return ask(() => {
    const answer = findApiError(error);
    return answer?.reason === reason || answer?.code === code;
  }, false);
}

/** Asks about an error whose getters may throw, such as a proxy of an `ApiError`. */
function ask<V>(question: () => V, otherwise: V): V {
  try {
    return question();
  } catch {
    return otherwise;
  }
}
