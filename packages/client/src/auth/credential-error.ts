/**
 * The error of this folder: a credential is not available, or its configuration cannot work.
 */
import { definedOnly, errorBrand } from "@drover/machinery";
import type { Secret } from "@drover/machinery";
import type { ProblemCode } from "@drover/machinery/codes";

/**
 * "setup": the configuration cannot work, retrying does not help. "unavailable": a file, program or issuer did not provide
 * the credential this time. "malformed": it provided something that cannot be used.
 */
export type CredentialErrorReason = "setup" | "unavailable" | "malformed";

/** Fields of a `CredentialError` besides its message. */
export interface CredentialErrorOptions {
  /** The underlying error; contains no secret. @default none */
  readonly cause?: unknown;
  /** What a program wrote to standard error; may contain secrets. @default no output, or it was not captured */
  readonly output?: Secret;
}

const codes: Readonly<Record<CredentialErrorReason, ProblemCode>> = { setup: "DRV0330", unavailable: "DRV0331", malformed: "DRV0332" };

const brand = errorBrand<CredentialError>("CredentialError");

/**
 * A credential is not available. The message names the source (file, program, issuer) and the fix.
 *
 * Guarantees: neither the message nor the cause contains a credential, an argument of a program, or output of a program or
 * issuer. The standard error of a failed program is in `output`, which a terminal may reveal; it prints as "[redacted]".
 */
export class CredentialError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "CredentialError";
  readonly reason: CredentialErrorReason;
  readonly problemCode: ProblemCode;
  readonly output: Secret | undefined;

  constructor(reason: CredentialErrorReason, message: string, { cause, output }: CredentialErrorOptions = {}) {
    super(message, definedOnly({ cause }));
    this.reason = reason;
    this.problemCode = codes[reason];
    this.output = output;
  }
}

/** Reports whether the error is a `CredentialError`, also one of another copy of this package. */
export function isCredentialError(error: unknown): error is CredentialError {
  return brand.is(error);
}
