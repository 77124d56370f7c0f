/** client-go's `WaitForCacheSync`: waits until caches have synced, before workers start. */
import { poll } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

/** Options of `waitForCacheSync`. */
export interface CacheSyncOptions {
  readonly clock: Clock;
  /** Stops waiting when aborted. */
  readonly signal: AbortSignal;
}

/** An informer, a handler registration, a queue: anything with `hasSynced`. */
export interface Syncing {
  hasSynced(): boolean;
}

/** Polling interval, as in client-go. */
const syncedPollMs = 100;

/** Resolves with true when all have synced, with false if the signal aborts first. */
export async function waitForCacheSync({ clock, signal }: CacheSyncOptions, ...caches: readonly Syncing[]): Promise<boolean> {
  const all = (): boolean => caches.every((cache) => cache.hasSynced());
  try {
    await poll(clock, { interval: syncedPollMs, immediate: true, signal }, all);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
