/**
 * "We do not know whether it happened." A write was sent and no answer came back, so it may be done, may be under way, or may never
 * have arrived. Neither success nor failure, and not to be repeated blindly.
 */
import { errorBrand } from "../error-brand.ts";
import { findCause } from "./api-error.ts";

/** What is known about the write. */
export interface UnknownOutcome {
  /** What was tried: "create pods/web-0". */
  readonly attempt: string;
  /** Why nobody knows: "the connection was closed before the answer came". */
  readonly why: string;
  /**
   * What led to it.
   * @default none
   */
  readonly cause?: unknown;
}

const brand = errorBrand<UnknownOutcomeError>("UnknownOutcomeError");

/** A write whose outcome is unknown. Look at the object before anything else is done with it. */
export class UnknownOutcomeError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "UnknownOutcomeError";
  readonly reason = "OutcomeUnknown";
  readonly attempt: string;

  constructor({ attempt, why, ...options }: UnknownOutcome) {
    super(`${attempt}: it is unknown whether this happened (${why}); look at the object before repeating it`, options);
    this.attempt = attempt;
  }
}

/** Whether a write may or may not have happened; looks through causes. */
export function isOutcomeUnknown(error: unknown): boolean {
  return findCause(error, isUnknownOutcomeError) !== undefined;
}

/** Whether this error itself is a write whose outcome is unknown. */
export function isUnknownOutcomeError(error: unknown): error is UnknownOutcomeError {
  return brand.is(error);
}
