/** The error of a fence: a write that was not sent because the lease is not held. */
import { findCause, formatTimeMillis, errorBrand } from "@drover/machinery";

/** Facts for the error message. */
export interface FencedErrorOptions {
  /** The lease as "namespace/name". */
  readonly lease: string;
  /** When it was lost, in milliseconds since 1970; undefined if this process has not held it. */
  readonly sinceMs: number | undefined;
  /** Why it is not held, for people. */
  readonly why: string;
  /** The request that was not sent: "PATCH /api/v1/namespaces/shop/pods/web-0". @default the error is about the lease, not a request */
  readonly attempt?: string;
}

const brand = errorBrand<FencedError>("FencedError");

/** The lease is not held, so nothing was sent. The new leader takes over the work. */
export class FencedError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "FencedError";
  readonly problemCode = "DRV0362";
  readonly reason = "Fenced";
  readonly lease: string;
  readonly sinceMs: number | undefined;
  readonly attempt: string | undefined;

  constructor({ lease, sinceMs, why, attempt }: FencedErrorOptions) {
    const held =
      sinceMs === undefined
        ? `lease ${lease} is not held by this process: ${why}`
        : `lease ${lease} has not been held since ${formatTimeMillis(sinceMs)}: ${why}`;
    super(attempt === undefined ? held : `${attempt} not sent: ${held}`);
    this.lease = lease;
    this.sinceMs = sinceMs;
    this.attempt = attempt;
  }
}

/** Reports whether an error is a `FencedError`, of this or another copy of the package. */
export function isFencedError(error: unknown): error is FencedError {
  return brand.is(error);
}

/** Reports whether an error or one of its causes is a `FencedError`. */
export function isFenced(error: unknown): boolean {
  return findCause(error, isFencedError) !== undefined;
}
