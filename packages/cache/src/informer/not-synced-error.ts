/** Error that names the caches that have not synced, and why. */
import { errorBrand, errorName, errorText, findApiError, isError } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";
import type { InformerState } from "./informer.ts";

/** An informer that has not synced. */
export interface Unsynced {
  /** Name of the informer: "pods in all namespaces". */
  readonly name: string;
  /** Reason: "403 Forbidden: pods is forbidden: …", "the list is still running". */
  readonly why: string;
  /** Error of the last attempt, if it failed. */
  readonly error: unknown;
}

const brand = errorBrand<NotSyncedError>("NotSyncedError");

/** Some informers have not synced in time; names them, and why. */
export class NotSyncedError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "NotSyncedError";
  readonly problemCode = "DRV0501";
  readonly unsynced: readonly Unsynced[];

  constructor(unsynced: readonly Unsynced[], afterMs: number) {
    super(
      withCode(
        `${unsynced.length} of the caches have not synced after ${afterMs} ms: ${unsynced.map(({ name, why }) => `${name} (${why})`).join("; ")}`,
        "DRV0501",
      ),
      { cause: unsynced.find(({ error }) => error !== undefined)?.error },
    );
    this.unsynced = unsynced;
  }
}

/** Reports whether the error is a `NotSyncedError`, also one of another copy of this package. */
export function isNotSyncedError(error: unknown): error is NotSyncedError {
  return brand.is(error);
}

/** Returns why an informer has not synced, from the status of its reflector. */
export function unsyncedReason({ name, reflector: { phase, lastError, hasFailed, lists } }: InformerState): Unsynced {
  if (lastError !== undefined && hasFailed) return { name, why: failureText(lastError.error), error: lastError.error };
  if (phase === "empty") return { name, why: "it has not been started; run the factory", error: undefined };
  if (phase === "stopped") return { name, why: "it has been stopped", error: undefined };
  return { name, why: lists === 0 ? "no list has been sent yet" : "the list is still running", error: undefined };
}

function failureText(error: unknown): string {
  const api = findApiError(error);
  if (api !== undefined) return `${api.code}${api.reason === "" ? "" : ` ${api.reason}`}: ${errorText(api)}`;
  return isError(error) ? `${errorName(error)}: ${errorText(error)}` : errorText(error);
}
