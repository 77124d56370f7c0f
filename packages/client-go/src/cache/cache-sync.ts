/** Waiting until caches have what they need before anybody works with them. */
import { poll } from "@drover/machinery";
import type { Clock } from "@drover/machinery";

export interface CacheSyncOptions {
  readonly clock: Clock;
  /** Gives up waiting. */
  readonly signal: AbortSignal;
}

/** Anything that knows whether it has synced: an informer, a registration, a queue. */
export interface Syncing {
  hasSynced(): boolean;
}

/** How often it is looked, as client-go does. */
const syncedPollMs = 100;

/** Resolves with true when all have synced, with false when the signal was aborted before. */
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
