/** The Job of one run of a CronJob. */
import { CronJob } from "@drover/api/batch/v1";
import type { Job } from "@drover/api/batch/v1";
import { deepCopy, definedOnly, formatTime, newControllerRef, timeZoneOf } from "@drover/machinery";
import type { CronJobView } from "./cron-job-view.ts";

const timestampAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** The same name for the same time, so that no run is begun twice: that of the CronJob and the minutes since 1970. */
export function jobName({ metadata: { name } }: CronJobView, scheduledMs: number): string {
  return `${name}-${Math.floor(scheduledMs / 60_000)}`;
}

/** The Job that the template asks for, with the time it was meant for in its annotations, as clocks in the CronJob's zone show it. */
export function jobOfRun(cronJob: CronJobView, scheduledMs: number): Job {
  const { metadata: { labels = {}, annotations = {} } = {}, spec } = cronJob.spec.jobTemplate;
  return deepCopy({
    metadata: {
      name: jobName(cronJob, scheduledMs),
      labels,
      annotations: { ...annotations, [timestampAnnotation]: timeInZone(cronJob.spec.timeZone ?? "", scheduledMs) },
      ownerReferences: [newControllerRef(cronJob, CronJob)],
    },
    ...definedOnly({ spec }),
  });
}

/** "2026-01-01T09:00:00+02:00", and "Z" where clocks show UTC. */
function timeInZone(zone: string, epochMs: number): string {
  const offsetMinutes = (timeZoneOf(zone)?.offsetAt(epochMs) ?? 0) / 60_000;
  if (offsetMinutes === 0) return formatTime(epochMs);
  const two = (count: number): string => String(Math.trunc(count)).padStart(2, "0");
  const ahead = Math.abs(offsetMinutes);
  return `${formatTime(epochMs + offsetMinutes * 60_000).slice(0, -1)}${offsetMinutes < 0 ? "-" : "+"}${two(ahead / 60)}:${two(ahead % 60)}`;
}
