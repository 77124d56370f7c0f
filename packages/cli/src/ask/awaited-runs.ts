/**
 * Waits for the runs that `drover reconcile` has asked for.
 *
 *     DebugReconcile, tapeEvents → awaitedRuns → one run per key
 */
import type { DebugReconcile, RunRecord } from "@drover/controller";
import { CommandError } from "../command-error.ts";
import type { TapeEvent } from "./tape-events.ts";

/** Yields the run of each key as it ends; after a conflict, which is no failure, the run that repeats it. Ends after the last one. */
export async function* awaitedRuns(asked: DebugReconcile, events: AsyncIterable<TapeEvent>): AsyncGenerator<RunRecord> {
  let left = asked.enqueued.reduce((sum, { keys }) => sum + keys, 0);
  const names = new Set(asked.enqueued.map(({ controller }) => controller));
  const [ended, conflicts] = [new Set<string>(), new Set<string>()];
  if (left === 0) return;
  for await (const event of events) {
    if (event.type === "missed")
      throw new CommandError(
        `the operator has ended ${event.missed} runs more than its tape keeps, so it is unknown which of them were asked for\n  fix: drover queue shows what still fails`,
      );
    const { run } = event;
    const key = `${run.controller}\n${run.key}`;
    if (!names.has(run.controller) || ended.has(key) || !isAsked(run, asked, conflicts)) continue;
    if (run.result?.type === "retry" && run.result.isConflict) {
      conflicts.add(run.run);
      continue;
    }
    ended.add(key);
    yield run;
    if (--left === 0) return;
  }
  throw new CommandError(`the operator has ended before ${left} of the runs`);
}

/** Of many causes the operator keeps some only; a run that began later has this cause too. */
function isAsked({ causes, causeCount, startedAt }: RunRecord, { note, at }: DebugReconcile, conflicts: ReadonlySet<string>): boolean {
  if (causes.some((cause) => (cause.type === "enqueue" && cause.note === note) || (cause.type === "retry" && conflicts.has(cause.run))))
    return true;
  return causeCount > causes.length && startedAt > at;
}

/** Whether the run failed; a conflict counts as such only if nothing repeats it. */
export const hasFailed = ({ result }: RunRecord): boolean =>
  result?.type === "retry" || result?.type === "stop" || result?.type === "abandoned";
