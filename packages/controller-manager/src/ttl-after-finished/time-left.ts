/** How long a Job that has ended is kept. */
import type { Job } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";
import { finishedCondition } from "../shared/finished-condition.ts";
import { timeMs } from "../shared/object-time.ts";

/**
 * In milliseconds, zero or less when its time is over; undefined for a Job that is kept: it runs, says nothing of when
 * it is to go, or goes already.
 */
export function timeLeft(job: DeepReadonly<Job>, now: number): number | undefined {
  const {
    metadata: { name, namespace, deletionTimestamp },
    spec: { ttlSecondsAfterFinished } = {},
  } = job;
  const end = finishedCondition(job);
  if (end === undefined || deletionTimestamp !== undefined || ttlSecondsAfterFinished === undefined) return undefined;
  const endMs = timeMs(end.lastTransitionTime);
  if (endMs === undefined)
    throw new Error(
      `unable to find the time when the Job ${namespace}/${name} finished: its condition ${end.type} has no lastTransitionTime`,
    );
  return endMs + ttlSecondsAfterFinished * 1000 - now;
}
