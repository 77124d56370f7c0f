/** What goes wrong between two ends of a stream, as opposed to what the server has to say: that is an `ApiError`. */
import { errorBrand } from "@drover/machinery";

/**
 * - `lost`: there is no connection, or there is none any more, before what was asked for has been done
 * - `protocol`: the other side does not keep to the protocol
 * - `remote`: the other side could not do it and said why
 * - `unsupported`: the protocol that was agreed on cannot do what is asked
 */
export type StreamErrorReason = "lost" | "protocol" | "remote" | "unsupported";

const brand = errorBrand<StreamError>("StreamError");

/** A stream that failed; the message names what was attempted. */
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
