/**
 * What kind of no it was. Every predicate takes anything that was thrown, looks through causes, and compares the reason; only where the
 * server gave none, or one that nobody knows, does the HTTP code decide.
 */
import type { DeepReadonly } from "../json/readonly.ts";
import type { StatusCause } from "../wire/status.ts";
import { findApiError, findCause, isApiError } from "./api-error.ts";
import type { ApiError } from "./api-error.ts";
import { isUnknownOutcomeError } from "./unknown-outcome.ts";
import type { UnknownOutcomeError } from "./unknown-outcome.ts";

/** The reasons that API servers give. */
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

/** The reason of the first error in the chain that has one: the server's, or "OutcomeUnknown". Empty when there is none. */
export function reasonForError(error: unknown): string {
  return (
    findCause(error, (candidate): candidate is ApiError | UnknownOutcomeError => isApiError(candidate) || isUnknownOutcomeError(candidate))
      ?.reason ?? ""
  );
}

/** 400: the request itself makes no sense. */
export const isBadRequest: ErrorPredicate = reasonOrCode("BadRequest", 400);
/** 401: the server does not know who is asking. */
export const isUnauthorized: ErrorPredicate = reasonOrCode("Unauthorized", 401);
/** 403: whoever is asking may not. */
export const isForbidden: ErrorPredicate = reasonOrCode("Forbidden", 403);
/** 404: there is no such object or no such resource. */
export const isNotFound: ErrorPredicate = reasonOrCode("NotFound", 404);
/** 405: the resource does not have this verb. */
export const isMethodNotAllowed: ErrorPredicate = reasonOrCode("MethodNotAllowed", 405);
/** 406: the server cannot answer in a form we take. */
export const isNotAcceptable: ErrorPredicate = reasonOrCode("NotAcceptable", 406);
/** 409: there is an object of that name already. By reason alone, because a conflict has the same code. */
export const isAlreadyExists: ErrorPredicate = (error) => findApiError(error)?.reason === "AlreadyExists";
/** 409: the object changed since it was read, or another manager owns the field. */
export const isConflict: ErrorPredicate = reasonOrCode("Conflict", 409);
/** 410 in its older form. Most callers want {@link isExpired}. */
export const isGone: ErrorPredicate = reasonOrCode("Gone", 410);
/** 410 in every form servers have used: the version or the page asked for is no longer there; list again. */
export const isExpired: ErrorPredicate = (error) => findApiError(error)?.reason === "Expired" || isGone(error);
/** 413: the request is too large, by reason or by code. */
export const isRequestEntityTooLarge: ErrorPredicate = (error) => isEither(error, "RequestEntityTooLarge", 413);
/** 415: the server does not read the form we write. */
export const isUnsupportedMediaType: ErrorPredicate = reasonOrCode("UnsupportedMediaType", 415);
/** 422: the object is invalid; the causes name the fields. */
export const isInvalid: ErrorPredicate = reasonOrCode("Invalid", 422);
/** 429: too many requests, by reason or by code; wait as told and try again. */
export const isTooManyRequests: ErrorPredicate = (error) => isEither(error, "TooManyRequests", 429);
/** 500: something went wrong inside the server. */
export const isInternalError: ErrorPredicate = reasonOrCode("InternalError", 500);
/** 500: the server could not do it just now and asks to be asked again. By reason alone. */
export const isServerTimeout: ErrorPredicate = (error) => findApiError(error)?.reason === "ServerTimeout";
/** 500: what is stored cannot be read back. By reason alone. */
export const isStoreReadError: ErrorPredicate = (error) => findApiError(error)?.reason === "StorageReadError";
/** 503: the server, or the one behind it, is not there. */
export const isServiceUnavailable: ErrorPredicate = reasonOrCode("ServiceUnavailable", 503);
/** 504: it took too long; a write may still have happened. */
export const isTimeout: ErrorPredicate = reasonOrCode("Timeout", 504);
/** The answer was not one of the API server's; a proxy may have sent it. */
export const isUnexpectedServerError: ErrorPredicate = (error) => hasStatusCause(error, "UnexpectedServerResponse");

/** The version asked for has not come to this server yet; also in the words of servers before 1.19. */
export function isTooLargeResourceVersion(error: unknown): boolean {
  if (hasStatusCause(error, "ResourceVersionTooLarge")) return true;
  const answer = findApiError(error);
  if (answer?.details === undefined || !isTimeout(answer)) return false;
  const old = "Too large resource version";
  return answer.message.includes(old) || answer.details.causes?.some((cause) => cause.message === old) === true;
}

/** The first cause with this reason in the details of the server's answer. */
export function statusCause(error: unknown, reason: string): DeepReadonly<StatusCause> | undefined {
  return findApiError(error)?.details?.causes?.find((cause) => cause.reason === reason);
}

/** Whether the details of the server's answer have a cause with this reason. */
export function hasStatusCause(error: unknown, reason: string): boolean {
  return statusCause(error, reason) !== undefined;
}

/** How many seconds the server asks us to wait; undefined when it does not ask. Says nothing about whether trying again is wise. */
export function suggestsClientDelay(error: unknown): number | undefined {
  const answer = findApiError(error);
  if (answer === undefined) return undefined;
  if (answer.reason === "ServerTimeout" && answer.details !== undefined) return answer.retryAfterSeconds ?? 0;
  return answer.retryAfterSeconds !== undefined && answer.retryAfterSeconds > 0 ? answer.retryAfterSeconds : undefined;
}

function reasonOrCode(reason: StatusReason, code: number): ErrorPredicate {
  return (error) => {
    const answer = findApiError(error);
    return answer !== undefined && (answer.reason === reason || (answer.code === code && !knownReasons.has(answer.reason)));
  };
}

function isEither(error: unknown, reason: StatusReason, code: number): boolean {
  const answer = findApiError(error);
  return answer?.reason === reason || answer?.code === code;
}
