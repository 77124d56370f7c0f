/**
 * Failures of a stream. A refusal of the server is an `ApiError` instead.
 */
import { errorBrand } from "@drover/machinery";

/**
 * - `lost`: the connection failed or broke before the operation was complete
 * - `protocol`: the other side violates the protocol
 * - `remote`: the other side failed and reported why
 * - `unsupported`: the negotiated protocol does not support the operation
 */
export type StreamErrorReason = "lost" | "protocol" | "remote" | "unsupported";

const brand = errorBrand<StreamError>("StreamError");

/** A stream that failed; the message names the operation. */
export class StreamError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "StreamError";
  readonly reason: StreamErrorReason;

  constructor(reason: StreamErrorReason, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** Reports whether the error is a `StreamError`, also one of another copy of this package. */
export function isStreamError(error: unknown): error is StreamError {
  return brand.is(error);
}
