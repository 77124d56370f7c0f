/**
 * Which servers are not to be asked for a watch-list, and until when. Reflectors of one kind share what one of them has found out.
 *
 *     reflector falls back to pages → putOff → the next reflector of the kind begins with pages
 */
import type { Clock } from "@drover/machinery";

export interface WatchListMemory {
  /** How many milliseconds from now a watch-list of this kind should not be tried; 0 when it may be. */
  remainingMs(key: string): number;
  /** Do not try for so long. */
  putOff(key: string, forMs: number): void;
}

/** A memory for one server. Keys are the caller's: one for each kind is enough. */
export function createWatchListMemory({ clock }: { readonly clock: Clock }): WatchListMemory {
  const untilMs = new Map<string, number>();
  return {
    remainingMs: (key) => Math.max(0, (untilMs.get(key) ?? 0) - clock.monotonic()),
    putOff: (key, forMs) => void untilMs.set(key, clock.monotonic() + forMs),
  };
}
