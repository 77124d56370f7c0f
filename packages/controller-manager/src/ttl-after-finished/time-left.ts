/** How long a finished Job is kept. */
import type { Job } from "@drover/api/batch/v1";
import type { DeepReadonly } from "@drover/machinery";
import { finishedCondition } from "../shared/finished-condition.ts";
import { timeMs } from "../shared/object-time.ts";

/**
 * Returns milliseconds, zero or less when the TTL has expired; undefined for a Job that stays: it runs, has no TTL, or is being
 * deleted.
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
