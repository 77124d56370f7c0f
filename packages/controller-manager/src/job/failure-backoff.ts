/**
 * Backoff before a Job replaces failed pods: ten seconds, doubled for each further failure, at most ten minutes. A success resets
 * it.
 *
 *     record, finished pods → nextBackoff → record → backoffMs → not before
 */
import type { PodView } from "../shared/pod-state.ts";
import { ignoredIndexFailures, indexFailures } from "./completion-index.ts";
import { finishTime } from "./finish-time.ts";

/** Failures since the last success. */
export interface Backoff {
  readonly failures: number;
  /** Time of the last failure, in milliseconds since 1970; undefined without a failure. */
  readonly lastFailure: number | undefined;
}

/** First delay and maximum delay. */
export interface BackoffTimes {
  readonly baseMs: number;
  readonly capMs: number;
}

/** No failure. */
export const noBackoff: Backoff = { failures: 0, lastFailure: undefined };

/** Returns the record with pods that finished since. A failure in the same second as a success counts as earlier. */
export function nextBackoff(before: Backoff, succeeded: readonly PodView[], failed: readonly PodView[]): Backoff {
  const lastSuccess = succeeded.length === 0 ? undefined : latest(succeeded.map(finishTime));
  const failures = failed.map(finishTime).filter((time) => lastSuccess === undefined || time > lastSuccess);
  const kept = lastSuccess === undefined ? before : noBackoff;
  return failures.length === 0 ? kept : { failures: kept.failures + failures.length, lastFailure: latest(failures) };
}

const latest = (times: readonly number[]): number => times.reduce((a, b) => Math.max(a, b));

/** Returns the remaining delay; 0 when it is over. */
export function backoffMs({ failures, lastFailure }: Backoff, now: number, { baseMs, capMs }: BackoffTimes): number {
  if (failures === 0 || lastFailure === undefined) return 0;
  return Math.max(0, Math.min(capMs, baseMs * 2 ** (failures - 1)) - (now - lastFailure));
}

/** The same for one index, whose last pod carries its failure count. */
export function indexBackoffMs(last: PodView | undefined, now: number, times: BackoffTimes): number {
  if (last === undefined) return 0;
  return backoffMs({ failures: indexFailures(last) + ignoredIndexFailures(last) + 1, lastFailure: finishTime(last) }, now, times);
}
