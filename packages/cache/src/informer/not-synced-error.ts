/** Not every cache is filled, and why: what an operator needs to read first when a program does not come up. */
import { findApiError, errorBrand } from "@drover/machinery";
import type { InformerState } from "./informer.ts";

/** One informer that has no whole list yet. */
export interface Unsynced {
  /** "pods in all namespaces". */
  readonly name: string;
  /** In words: "403 Forbidden: pods is forbidden: …", "the list is still under way". */
  readonly why: string;
  /** What the last attempt failed with, if it did. */
  readonly error: unknown;
}

const brand = errorBrand<NotSyncedError>("NotSyncedError");

export class NotSyncedError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "NotSyncedError";
  readonly unsynced: readonly Unsynced[];

  constructor(unsynced: readonly Unsynced[], afterMs: number) {
    super(
      `${unsynced.length} of the caches have not synced after ${afterMs} ms: ${unsynced.map(({ name, why }) => `${name} (${why})`).join("; ")}`,
      { cause: unsynced.find(({ error }) => error !== undefined)?.error },
    );
    this.unsynced = unsynced;
  }
}

/** Reports whether the error is a `NotSyncedError`, also one of another copy of this package. */
export function isNotSyncedError(error: unknown): error is NotSyncedError {
  return brand.is(error);
}

/** Why an informer has not synced, from what its reflector says. */
export function unsyncedReason({ name, reflector: { phase, lastError, hasFailed, lists } }: InformerState): Unsynced {
  if (lastError !== undefined && hasFailed) return { name, why: failureText(lastError.error), error: lastError.error };
  if (phase === "empty") return { name, why: "it has not been started; run the factory", error: undefined };
  if (phase === "stopped") return { name, why: "it has been stopped", error: undefined };
  return { name, why: lists === 0 ? "nothing has been asked of the server yet" : "the list is still under way", error: undefined };
}

function failureText(error: unknown): string {
  const api = findApiError(error);
  if (api !== undefined) return `${api.code}${api.reason === "" ? "" : ` ${api.reason}`}: ${api.message}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
