/**
 * Writes whose outcome is unknown: the request was sent and no response came back, so it may be done, under way, or lost. Neither
 * success nor failure, and not to be repeated blindly.
 */
import { errorBrand } from "../error-brand.ts";
import { findCause } from "./api-error.ts";

/** What is known about the write. */
export interface UnknownOutcome {
  /** What was attempted: "create pods/web-0". */
  readonly attempt: string;
  /** Why the outcome is unknown: "the connection was closed before the response arrived". */
  readonly why: string;
  /**
   * Underlying error.
   * @default none
   */
  readonly cause?: unknown;
}

const brand = errorBrand<UnknownOutcomeError>("UnknownOutcomeError");

/** A write whose outcome is unknown. Read the object before doing anything else with it. */
export class UnknownOutcomeError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "UnknownOutcomeError";
  readonly problemCode = "DRV0406";
  readonly reason = "OutcomeUnknown";
  readonly attempt: string;

  constructor({ attempt, why, ...options }: UnknownOutcome) {
    super(`${attempt}: it is unknown whether this happened (${why}); read the object before repeating it`, options);
    this.attempt = attempt;
  }
}

/** Whether a write may or may not have happened; searches causes. */
export function isOutcomeUnknown(error: unknown): boolean {
  return findCause(error, isUnknownOutcomeError) !== undefined;
}

/** Whether this error itself is an `UnknownOutcomeError`. */
export function isUnknownOutcomeError(error: unknown): error is UnknownOutcomeError {
  return brand.is(error);
}
