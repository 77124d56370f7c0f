/** The one failure of this folder: a credential that should be there cannot be had, or was set up in a way that cannot work. */
import { errorBrand } from "@drover/machinery";
import type { Secret } from "@drover/machinery";

/**
 * "setup": what was configured cannot work, and trying again will not help. "unavailable": a file, a program or an issuer did not give
 * the credential this time. "malformed": it gave something, and that cannot be used.
 */
export type CredentialErrorReason = "setup" | "unavailable" | "malformed";

/** What a `CredentialError` carries besides its message. */
export interface CredentialErrorOptions {
  /** The error behind it; one that holds no secret. @default none */
  readonly cause?: unknown;
  /** What a program wrote to its standard error; may hold secrets. @default nothing was written, or nobody looked */
  readonly output?: Secret;
}

const brand = errorBrand<CredentialError>("CredentialError");

/**
 * A credential that cannot be had. The message names the source (file, program, issuer) and what to do about it.
 *
 * Guarantees: neither the message nor the cause holds a credential, an argument of a program, or anything that a program or an issuer has
 * written. What a failed program wrote to its standard error is in `output`, for a terminal to reveal; it prints as "[redacted]".
 */
export class CredentialError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "CredentialError";
  readonly reason: CredentialErrorReason;
  readonly output: Secret | undefined;

  constructor(reason: CredentialErrorReason, message: string, { cause, output }: CredentialErrorOptions = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.output = output;
  }
}

/** Whether an error says that a credential cannot be had. */
export function isCredentialError(error: unknown): error is CredentialError {
  return brand.is(error);
}
