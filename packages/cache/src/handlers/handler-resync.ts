/**
 * Tells one handler of everything again, a little at a time: a safety net for handlers whose work depends on more than the object.
 *
 *     keys of the store → spread over the period → Updated with isResync
 *
 * Nothing is asked of the server: what the cache does not know, a resync does not find.
 */
import type { Clock } from "@drover/machinery";

export interface HandlerResync {
  readonly clock: Clock;
  /** From one telling of a key to the next. Less than 1000 counts as 1000. */
  readonly periodMs: number;
  /** Whether the handler knows what is there; no round begins before. */
  readonly hasSynced: () => boolean;
  /** The keys of one round. */
  readonly keys: () => Iterable<string>;
  /** Tells of some of them. */
  readonly tell: (keys: readonly string[]) => void;
}

const periodMinMs = 1000;

/** Into how many pieces a round is cut at most. */
const piecesMax = 100;

/** Round after round until `removal` is aborted. The first begins after one period. */
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
