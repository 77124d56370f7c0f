/**
 * How long a Job waits before it replaces pods that failed: ten seconds, twice as long for each further failure, ten
 * minutes at most. A success
 * begins anew.
 *
 *     record, pods that ended → nextBackoff → record → backoffMs → not before
 */
import type { PodView } from "../shared/pod-state.ts";
import { ignoredIndexFailures, indexFailures } from "./completion-index.ts";
import { finishTime } from "./finish-time.ts";

/** Failures since the last success. */
export interface Backoff {
  readonly failures: number;
  /** When the last of them was, in milliseconds since 1970; undefined when there was none. */
  readonly lastFailure: number | undefined;
}

/** How long the first failure is waited for, and any at most. */
export interface BackoffTimes {
  readonly baseMs: number;
  readonly capMs: number;
}

/** No failure at all. */
export const noBackoff: Backoff = { failures: 0, lastFailure: undefined };

/** The record with pods that ended since. A failure in the same second as a success counts as before it. */
export function nextBackoff(before: Backoff, succeeded: readonly PodView[], failed: readonly PodView[]): Backoff {
  const lastSuccess = succeeded.length === 0 ? undefined : latest(succeeded.map(finishTime));
  const failures = failed.map(finishTime).filter((time) => lastSuccess === undefined || time > lastSuccess);
  const kept = lastSuccess === undefined ? before : noBackoff;
  return failures.length === 0 ? kept : { failures: kept.failures + failures.length, lastFailure: latest(failures) };
}

const latest = (times: readonly number[]): number => times.reduce((a, b) => Math.max(a, b));

/** How long from now; 0 when it need not wait. */
export function backoffMs({ failures, lastFailure }: Backoff, now: number, { baseMs, capMs }: BackoffTimes): number {
  if (failures === 0 || lastFailure === undefined) return 0;
  return Math.max(0, Math.min(capMs, baseMs * 2 ** (failures - 1)) - (now - lastFailure));
}

/** The same for one index, whose last pod says how often it has failed. */
export function indexBackoffMs(last: PodView | undefined, now: number, times: BackoffTimes): number {
  if (last === undefined) return 0;
  return backoffMs({ failures: indexFailures(last) + ignoredIndexFailures(last) + 1, lastFailure: finishTime(last) }, now, times);
}
