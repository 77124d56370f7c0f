/** Failures of the store as kube-apiserver answers them. */
import { newFailure } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import { SpaceExceededError, StoreRefusedError, StoreUnavailableError } from "../storage/store.ts";

const silence = newFailure(504, "Timeout", "Timeout: request did not complete within requested timeout - context deadline exceeded", {});

/**
 * Returns the 500 for a store that is full or refuses, the 504 for one that does not answer, and undefined for other errors. In
 * kube-apiserver the 504 comes when the client's own time is over.
 */
export function storeFailure(error: unknown): StatusError | undefined {
  if (error instanceof StoreUnavailableError && error.isSilent) return new StatusError(silence);
  return error instanceof SpaceExceededError || error instanceof StoreRefusedError || error instanceof StoreUnavailableError
    ? new StatusError(newFailure(500, "", error.message))
    : undefined;
}
