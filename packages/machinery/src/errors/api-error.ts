/**
 * An error response of the API server. One class for all: the Status has the details, and the predicates of error-reason.ts tell
 * them apart.
 *
 *     HttpResponse → statusFromResponse → ApiError → isNotFound, isConflict …
 */
import { errorBrand } from "../error-brand.ts";
import { errorCause } from "../error-text.ts";
import type { DeepReadonly } from "../json/readonly.ts";
import type { Status, StatusDetails } from "../wire/status.ts";

/** Further information besides the Status. */
export interface ApiErrorOptions {
  /**
   * HTTP status code, for a Status without one.
   * @default 0
   */
  readonly code?: number;
  /**
   * `Retry-After` header, for a Status without a delay.
   * @default none
   */
  readonly retryAfterSeconds?: number;
  /**
   * What was attempted, for logs: "update pods/web-0".
   * @default none
   */
  readonly attempt?: string;
  /**
   * Underlying error.
   * @default none
   */
  readonly cause?: unknown;
}

const brand = errorBrand<ApiError>("ApiError");

/** An error response of the API server. Holds the response, never the request, its headers or its credentials. */
export class ApiError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "ApiError";
  readonly status: DeepReadonly<Status>;
  /** HTTP status code; 0 when unknown. */
  readonly code: number;
  /** "NotFound", "Conflict" …; empty when the server gave none. */
  readonly reason: string;
  readonly details: DeepReadonly<StatusDetails> | undefined;
  /** Seconds to wait before the next attempt, if the server asks for it. */
  readonly retryAfterSeconds: number | undefined;
  readonly attempt: string | undefined;

  /** The message is the server's, unchanged. */
  constructor(status: DeepReadonly<Status>, { code = 0, retryAfterSeconds, attempt, ...options }: ApiErrorOptions = {}) {
    const resolved = status.code ?? code;
    super(status.message || `the server responded with the status code ${resolved} but did not return more information`, options);
    this.status = status;
    this.code = resolved;
    this.reason = status.reason ?? "";
    this.details = status.details;
    this.retryAfterSeconds = status.details?.retryAfterSeconds ?? retryAfterSeconds;
    this.attempt = attempt;
  }
}

/**
 * Whether this error itself is an `ApiError`; {@link findApiError} also searches its causes. Compares the name, so it recognizes
 * errors of another copy of this package.
 */
export function isApiError(error: unknown): error is ApiError {
  return brand.is(error);
}

/** Returns this error or the first of its causes that is an `ApiError`. */
export function findApiError(error: unknown): ApiError | undefined {
  return findCause(error, isApiError);
}

// Chains are short; the limit guards against cycles and getters that return ever new causes.
const causesMax = 100;

/** Returns the first of an error and its causes that matches. Throws only if `isSought` does. */
export function findCause<E>(error: unknown, isSought: (error: unknown) => error is E): E | undefined {
  let current = error;
  for (let depth = 0; depth < causesMax; depth++) {
    if (isSought(current)) return current;
    current = errorCause(current);
    if (current === undefined) return undefined;
  }
  return undefined;
}
