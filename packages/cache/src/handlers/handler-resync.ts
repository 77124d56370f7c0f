/**
 * Resync of one handler: repeats all objects, spread over the period, for handlers whose work depends on more than the object.
 *
 *     keys of the store → spread over the period → Updated with isResync
 *
 * It sends no request, so it does not find changes that the cache missed.
 */
import type { Clock } from "@drover/machinery";

export interface HandlerResync {
  readonly clock: Clock;
  /** Time between two repetitions of a key. At least 1000. */
  readonly periodMs: number;
  /** Whether the handler has synced; no round starts before. */
  readonly hasSynced: () => boolean;
  /** Returns the keys of one round. */
  readonly keys: () => Iterable<string>;
  /** Repeats some of them to the handler. */
  readonly tell: (keys: readonly string[]) => void;
}

const periodMinMs = 1000;

/** Maximum number of parts of a round. */
const piecesMax = 100;

/** Runs rounds until `removal` aborts. The first starts after one period. */
export function resyncHandler({ clock, periodMs, hasSynced, keys, tell }: HandlerResync, removal: AbortSignal): void {
  const period = Math.max(periodMs, periodMinMs);
  let cancel = (): void => undefined;
  const after = (delayMs: number, work: () => void): void => {
    if (!removal.aborted) cancel = clock.timer(delayMs, work);
  };
  const begin = (): void => {
    if (!hasSynced()) return after(period, begin);
    const round = [...keys()];
    const pieces = Math.max(1, Math.min(piecesMax, round.length));
    const tellPiece = (piece: number): void => {
      if (piece === pieces) return begin();
      tell(round.slice(Math.floor((piece * round.length) / pieces), Math.floor(((piece + 1) * round.length) / pieces)));
      after(period / pieces, () => tellPiece(piece + 1));
    };
    tellPiece(0);
  };
  after(period, begin);
  removal.addEventListener("abort", () => cancel(), { once: true });
}
