/**
 * The clock of one life. Its timers are tasks of the timeline: they end with the life, and wait while it is paused.
 */
import type { Clock } from "@drover/machinery";
import type { Life } from "./life.ts";
import type { Timeline } from "./timeline.ts";

/** Returns the clock of a life; without one, that of the server. */
export function lifeClock(timeline: Timeline, life?: Life): Clock {
  return {
    now: () => timeline.startMs + timeline.elapsedMs + (life?.wallOffsetMs ?? 0),
    monotonic: () => timeline.elapsedMs,
    timer: (delayMs, callback) => (delayMs === Infinity ? () => undefined : timeline.after(delayMs, life, callback)),
  };
}
