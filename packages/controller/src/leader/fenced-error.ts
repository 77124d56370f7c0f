/** The one failure of a fence: a write that was not let through, because the lease it stands on is not held. */
import { findCause, formatTimeMillis, errorBrand } from "@drover/machinery";

/** What is known about it. */
export interface FencedErrorOptions {
  /** The lease, as "namespace/name". */
  readonly lease: string;
  /** When it was lost, in milliseconds since 1970; undefined when this process has not held it. */
  readonly sinceMs: number | undefined;
  /** Why it is not held, for people. */
  readonly why: string;
  /** What was not sent: "PATCH /api/v1/namespaces/shop/pods/web-0". @default the lease itself is spoken of, not a request */
  readonly attempt?: string;
}

const brand = errorBrand<FencedError>("FencedError");

/** The lease is not held, so nothing was sent. Whatever was to be written is now the new leader's business. */
export class FencedError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "FencedError";
  readonly reason = "Fenced";
  readonly lease: string;
  readonly sinceMs: number | undefined;
  readonly attempt: string | undefined;

  constructor({ lease, sinceMs, why, attempt }: FencedErrorOptions) {
    const held =
      sinceMs === undefined
        ? `lease ${lease} is not held by this process: ${why}`
        : `lease ${lease} has not been held since ${formatTimeMillis(sinceMs)}: ${why}`;
    super(attempt === undefined ? held : `${attempt}: not sent, since ${held}`);
    this.lease = lease;
    this.sinceMs = sinceMs;
    this.attempt = attempt;
  }
}

/**
 * Reports whether this error itself says that a fence rejected a write, also for errors of another copy of this package.
 */
export function isFencedError(error: unknown): error is FencedError {
  return brand.is(error);
}

/** Whether a lease that is not held is behind an error; looks through causes. */
export function isFenced(error: unknown): boolean {
  return findCause(error, isFencedError) !== undefined;
}
