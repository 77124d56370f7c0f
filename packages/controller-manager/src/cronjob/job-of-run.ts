/** The Job of one CronJob run. */
import { CronJob } from "@drover/api/batch/v1";
import type { Job } from "@drover/api/batch/v1";
import { deepCopy, definedOnly, formatTime, newControllerRef, timeZoneOf } from "@drover/machinery";
import type { CronJobView } from "./cron-job-view.ts";

const timestampAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";

/** Name of the Job: the CronJob's name and the minutes since 1970. Each scheduled time has one name, so no run starts twice. */
export function jobName({ metadata: { name } }: CronJobView, scheduledMs: number): string {
  return `${name}-${Math.floor(scheduledMs / 60_000)}`;
}

/** Builds the Job from the template and annotates it with its scheduled time, in the CronJob's time zone. */
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

/** "2026-01-01T09:00:00+02:00", with "Z" for UTC. */
function timeInZone(zone: string, epochMs: number): string {
  const offsetMinutes = (timeZoneOf(zone)?.offsetAt(epochMs) ?? 0) / 60_000;
  if (offsetMinutes === 0) return formatTime(epochMs);
  const two = (count: number): string => String(Math.trunc(count)).padStart(2, "0");
  const ahead = Math.abs(offsetMinutes);
  return `${formatTime(epochMs + offsetMinutes * 60_000).slice(0, -1)}${offsetMinutes < 0 ? "-" : "+"}${two(ahead / 60)}:${two(ahead % 60)}`;
}
