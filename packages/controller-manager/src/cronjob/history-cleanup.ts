/** Which finished Jobs of a CronJob to delete. */
import { compareBytes } from "@drover/machinery";
import { finishedCondition } from "../shared/finished-condition.ts";
import { timeMs } from "../shared/object-time.ts";
import type { CronJobView, JobView } from "./cron-job-view.ts";

/**
 * Returns the Jobs beyond the history limits, oldest start first. Succeeded and failed Jobs have separate limits; without a limit
 * all stay.
 */
export function jobsToForget({ spec }: CronJobView, jobs: readonly JobView[]): readonly JobView[] {
  const ended = (type: string): readonly JobView[] => jobs.filter((job) => finishedCondition(job)?.type === type);
  return [...oldest(ended("Complete"), spec.successfulJobsHistoryLimit), ...oldest(ended("Failed"), spec.failedJobsHistoryLimit)];
}

function oldest(jobs: readonly JobView[], limit: number | null | undefined): readonly JobView[] {
  return limit === undefined || limit === null ? [] : jobs.toSorted(byStart).slice(0, Math.max(0, jobs.length - limit));
}

/** A Job that never started sorts last. */
function byStart(a: JobView, b: JobView): number {
  const [first, second] = [timeMs(a.status?.startTime) ?? Infinity, timeMs(b.status?.startTime) ?? Infinity];
  return first === second ? compareBytes(a.metadata.name ?? "", b.metadata.name ?? "") : first - second;
}
