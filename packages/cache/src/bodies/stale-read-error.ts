/** The server answered with an older state than the cache has seen. */
import { errorBrand } from "@drover/machinery";

const brand = errorBrand<StaleReadError>("StaleReadError");

/**
 * A read of an evicted body, or a list, got only answers older than what the watch has delivered: from a server that lags behind, or that
 * was restored from a backup, which the informer has yet to notice. Repeat the read later, as after any failed request.
 */
export class StaleReadError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "StaleReadError";
  readonly problemCode = "DRV0509";
  /** Version that the cache has. */
  readonly known: string;
  /** Version of the last answer; undefined if the server had none. */
  readonly answered: string | undefined;

  constructor(attempt: string, { known, answered, attempts }: { known: string; answered: string | undefined; attempts: number }) {
    const last = answered === undefined ? "could not be brought in line with the cache" : `was at version ${answered}`;
    super(
      `${attempt}: the cache has version ${known}, but the last of ${attempts} answers ${last}; the server lags behind, or was restored from a backup: try again later`,
    );
    this.known = known;
    this.answered = answered;
  }
}

/** Reports whether the error is a `StaleReadError`, also one of another copy of this package. */
export function isStaleReadError(error: unknown): error is StaleReadError {
  return brand.is(error);
}
