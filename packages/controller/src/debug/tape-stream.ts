/**
 * Runs as server-sent events, in the order in which they ended.
 *
 *     tape.ended(cursor) → tapeEvents → "id: 42\nevent: run\ndata: {…}\n\n"
 */
import { sleep } from "@drover/machinery";
import type { Clock } from "@drover/machinery";
import type { RecordingTape } from "../tape/recording-tape.ts";
import type { RunFilter } from "../tape/run-filter.ts";

export interface TapeEventsOptions {
  readonly tape: Pick<RecordingTape, "ended">;
  readonly clock: Clock;
  /** Position after which to start. */
  readonly after: number;
  /** Whether to wait for further runs. */
  readonly follow: boolean;
  readonly filter: Omit<RunFilter, "last">;
  readonly signal: AbortSignal;
}

/** Runs per step: a step describes them in one turn of the event loop. */
const pageSize = 32;
/** How often to look for ended runs. Looking costs nothing if there are none, and recording does not notify. */
const lookMs = 200;
/** How often to send a comment, so that both sides notice a dead connection. */
const quietMs = 15_000;

/** Yields events until the tape is read or, with `follow`, until the signal aborts. A slow reader misses runs and receives their number. */
export async function* tapeEvents({ tape, clock, after, follow, filter, signal }: TapeEventsOptions): AsyncGenerator<string> {
  let cursor = after;
  let quietSince = clock.monotonic();
  // Reaches the client before the first run.
  yield ": runs in the order in which they ended\n\n";
  while (!signal.aborted) {
    const { runs, cursor: next, missed } = tape.ended(cursor, pageSize, filter);
    const isRead = next === cursor;
    const parts = runs.map((run) => `event: run\ndata: ${JSON.stringify(run)}\n\n`);
    if (missed > 0 && cursor > 0) parts.unshift(`event: missed\ndata: ${JSON.stringify({ missed })}\n\n`);
    if (next !== cursor) parts.push(`id: ${next}\nevent: cursor\ndata: ${JSON.stringify({ cursor: next })}\n\n`);
    cursor = next;
    if (parts.length === 0 && clock.monotonic() - quietSince >= quietMs) parts.push(": still here\n\n");
    if (parts.length > 0) {
      quietSince = clock.monotonic();
      yield parts.join("");
    }
    if (isRead && !follow) return;
    try {
      await sleep(clock, isRead ? lookMs : 0, { signal });
    } catch {
      return;
    }
  }
}
