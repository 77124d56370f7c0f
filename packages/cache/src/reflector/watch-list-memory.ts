/**
 * Remembers for which kinds a server should not be asked for a watch-list, and until when. Reflectors share it.
 *
 *     reflector falls back to pages → putOff → the next reflector of the kind starts with pages
 */
import type { Clock } from "@drover/machinery";

/** Remembers which watch-lists to avoid, and until when. */
export interface WatchListMemory {
  /** Returns for how many more milliseconds to avoid a watch-list of this kind; 0 means it may be tried. */
  remainingMs(key: string): number;
  /** Avoids watch-lists for this many milliseconds. */
  putOff(key: string, forMs: number): void;
}

/** Creates the memory of one server. The caller chooses the keys; one per kind suffices. */
export function createWatchListMemory({ clock }: { readonly clock: Clock }): WatchListMemory {
  const untilMs = new Map<string, number>();
  return {
    remainingMs: (key) => Math.max(0, (untilMs.get(key) ?? 0) - clock.monotonic()),
    putOff: (key, forMs) => void untilMs.set(key, clock.monotonic() + forMs),
  };
}
