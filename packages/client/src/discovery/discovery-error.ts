/**
 * Errors of discovery.
 */
import { errorText, errorBrand } from "@drover/machinery";
import type { Discovered, DiscoveryFailure } from "./api-group.ts";

const documentBrand = errorBrand<DiscoveryDocumentError>("DiscoveryDocumentError");

/** A document of the server is malformed; the message names the field. */
export class DiscoveryDocumentError extends Error {
  static {
    documentBrand.mark(this);
  }

  override readonly name = "DiscoveryDocumentError";
}

/** Reports whether the error is a `DiscoveryDocumentError`, also one of another copy of this package. */
export function isDiscoveryDocumentError(error: unknown): error is DiscoveryDocumentError {
  return documentBrand.is(error);
}

const staleBrand = errorBrand<StaleGroupVersionError>("StaleGroupVersionError");

/** The server lists a group version but has no current description of it: the API behind it does not respond. */
export class StaleGroupVersionError extends Error {
  static {
    staleBrand.mark(this);
  }

  override readonly name = "StaleGroupVersionError";
  readonly groupVersion: string;

  constructor(groupVersion: string) {
    super(`stale GroupVersion discovery: ${groupVersion}`);
    this.groupVersion = groupVersion;
  }
}

/** Reports whether the error is a `StaleGroupVersionError`, also one of another copy of this package. */
export function isStaleGroupVersionError(error: unknown): error is StaleGroupVersionError {
  return staleBrand.is(error);
}

const failedBrand = errorBrand<GroupDiscoveryFailedError>("GroupDiscoveryFailedError");

/** Some group versions could not be described. The error also has what was found. */
export class GroupDiscoveryFailedError extends Error {
  static {
    failedBrand.mark(this);
  }

  override readonly name = "GroupDiscoveryFailedError";
  readonly failures: readonly DiscoveryFailure[];
  readonly found: Discovered;

  constructor(found: Discovered) {
    const reasons = found.failures.map(({ groupVersion, error }) => `${groupVersion}: ${errorText(error)}`).toSorted();
    super(`unable to retrieve the complete list of server APIs: ${reasons.join(", ")}`, { cause: found.failures[0]?.error });
    this.failures = found.failures;
    this.found = found;
  }
}

/** Reports whether the error is a `GroupDiscoveryFailedError`, also one of another copy of this package. */
export function isGroupDiscoveryFailed(error: unknown): error is GroupDiscoveryFailedError {
  return failedBrand.is(error);
}

/** Throws a `GroupDiscoveryFailedError` if the result is incomplete, for callers that need all of it. */
export function requireComplete<D extends Discovered>(found: D): D {
  if (found.failures.length > 0) throw new GroupDiscoveryFailedError(found);
  return found;
}
