/**
 * The server said no. One error for all of it: what was answered is in the Status, and what kind of no it is, is asked with the
 * predicates of error-reason.ts.
 *
 *     HttpResponse → statusFromResponse → ApiError → isNotFound, isConflict …
 */
import { errorBrand } from "../error-brand.ts";
import type { DeepReadonly } from "../json/readonly.ts";
import type { Status, StatusDetails } from "../wire/status.ts";

/** What is known besides the Status itself. */
export interface ApiErrorOptions {
  /**
   * The code of the HTTP answer, for a Status that has none.
   * @default 0
   */
  readonly code?: number;
  /**
   * The `Retry-After` header, for a Status that does not say.
   * @default none
   */
  readonly retryAfterSeconds?: number;
  /**
   * What was tried, for logs: "update pods/web-0".
   * @default none
   */
  readonly attempt?: string;
  /**
   * What led to it.
   * @default none
   */
  readonly cause?: unknown;
}

const brand = errorBrand<ApiError>("ApiError");

/** An answer of the API server that is a failure. Holds what the server said; never the request, its headers or its credentials. */
export class ApiError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "ApiError";
  readonly status: DeepReadonly<Status>;
  /** The HTTP code, 0 when there is none. */
  readonly code: number;
  /** "NotFound", "Conflict" …; empty when the server gave none. */
  readonly reason: string;
  readonly details: DeepReadonly<StatusDetails> | undefined;
  /** How long the server asks us to wait before the next attempt. */
  readonly retryAfterSeconds: number | undefined;
  readonly attempt: string | undefined;

  /** The message is the server's own, unchanged. */
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
 * Reports whether this error itself is an answer of the server; see {@link findApiError} for one among its causes. Also recognises
 * errors of another copy of this package.
 */
export function isApiError(error: unknown): error is ApiError {
  return brand.is(error);
}

/** The answer of the server that is, or that led to, this error. */
export function findApiError(error: unknown): ApiError | undefined {
  return findCause(error, isApiError);
}

// Chains are short; the limit is for one that bites its own tail.
const causesMax = 100;

/** The first of an error and its causes that is what we look for. */
export function findCause<E>(error: unknown, isSought: (error: unknown) => error is E): E | undefined {
  let current = error;
  for (let depth = 0; depth < causesMax; depth++) {
    if (isSought(current)) return current;
    if (!isError(current) || current.cause === undefined) return undefined;
    current = current.cause;
  }
  return undefined;
}

/** Also for errors of another realm, such as a vm context. */
const isError = (value: unknown): value is Error => value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
