/**
 * How fast the controllers of an operator work, from two answers.
 *
 *     DebugStatus, DebugStatus → runRates → reconciles and failures per second, mean duration
 */
import type { DebugStatus } from "@drover/controller";

/** What a controller did between two answers. */
export interface RunRate {
  readonly controller: string;
  readonly runsPerSecond: number;
  readonly failuresPerSecond: number;
  /** Mean milliseconds of a run; absent if none has ended. */
  readonly tookMs?: number;
  /** Mean milliseconds that a key was ready before its run; absent if none has ended. */
  readonly waitedMs?: number;
}

/** What is read of an answer. */
export type Sample = Pick<DebugStatus, "at" | "pid" | "startedAt"> & {
  readonly controllers: readonly Pick<DebugStatus["controllers"][number], "name" | "runs">[];
};

/** Returns a rate for each controller; none if the answers are of different processes, or no time lies between them. */
export function runRates(before: Sample, after: Sample): readonly RunRate[] {
  const seconds = (after.at - before.at) / 1000;
  if (!(seconds > 0) || before.pid !== after.pid || before.startedAt !== after.startedAt) return [];
  return after.controllers.map(({ name, runs }) => {
    const earlier = before.controllers.find((each) => each.name === name)?.runs;
    // A controller that got its lease back counts anew.
    const from = earlier === undefined || earlier.ended > runs.ended ? { ended: 0, failed: 0, tookMs: 0, waitedMs: 0 } : earlier;
    const ended = runs.ended - from.ended;
    return {
      controller: name,
      runsPerSecond: ended / seconds,
      failuresPerSecond: (runs.failed - from.failed) / seconds,
      ...(ended === 0 ? {} : { tookMs: (runs.tookMs - from.tookMs) / ended, waitedMs: (runs.waitedMs - from.waitedMs) / ended }),
    };
  });
}
