/**
 * Which run of a CronJob is due, and how long it is to the next.
 *
 *     CronJob, schedule, now → dueRun → the last time that has come and was not served;   waitMs → until the next time, and a little
 *
 * Pure. How far back is looked is decided from the distance of the first two times that were missed, as upstream does
 * it: a schedule whose times are not
 * evenly spread may be found to have missed some and to have none due.
 */
import { definedOnly, nextRun } from "@drover/machinery";
import type { CronSchedule } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";
import type { CronJobView } from "./cron-job-view.ts";

/** From so many missed times on something must be wrong, and somebody is told. */
const missedMax = 100;
/** Clocks differ: a little after the time it has come for all of them. */
const slackMs = 100;

/** What has been missed since the last run. */
export interface MissedRuns {
  /** Where the search began: the last run, the CronJob's creation, or the starting deadline. */
  readonly sinceMs: number;
  /** The latest time that has come; undefined when none has, or none was found. */
  readonly latestMs?: number;
  readonly missed: "none" | "few" | "many";
  /** What is wrong with a schedule that can be read: its time never comes. */
  readonly problem?: string;
}

/** The latest time that has come, within the starting deadline. */
export function dueRun(cronJob: CronJobView, schedule: CronSchedule, now: number): MissedRuns {
  const { startingDeadlineSeconds } = cronJob.spec;
  const since = lastServed(cronJob, now);
  const deadline = startingDeadlineSeconds === undefined || startingDeadlineSeconds === null ? since : now - startingDeadlineSeconds * 1000;
  return missedSince(Math.max(since, deadline), schedule, now);
}

/** How long to wait for the next time. Zero or less when that is now. */
export function waitMs(cronJob: CronJobView, schedule: CronSchedule, now: number): number {
  const { sinceMs, latestMs, missed, problem } = missedSince(lastServed(cronJob, now), schedule, now);
  const from = problem !== undefined || (latestMs === undefined && missed !== "none") ? now : (latestMs ?? sinceMs);
  return (nextRun(schedule, from) ?? now) + slackMs - now;
}

/** The server has set when it was created. */
function lastServed({ metadata, status }: CronJobView, now: number): number {
  return timeMs(status?.lastScheduleTime) ?? timeMs(metadata.creationTimestamp) ?? now;
}

function missedSince(sinceMs: number, schedule: CronSchedule, now: number): MissedRuns {
  const first = nextRun(schedule, sinceMs);
  if (first === undefined) return { sinceMs, missed: "none", problem: "time difference between two schedules is less than 1 second" };
  if (now < first) return { sinceMs, missed: "none" };
  const second = nextRun(schedule, first);
  if (second === undefined || now < second) return { sinceMs, latestMs: first, missed: "none" };
  const distanceMs = second - first;
  const count = Math.floor((now - first) / distanceMs) + 1;
  let latestMs: number | undefined;
  // One distance further back than it should have to be, for times that are not evenly spread.
  for (let at = nextRun(schedule, first + (count - 2) * distanceMs); at !== undefined && at <= now; at = nextRun(schedule, at))
    latestMs = at;
  return { sinceMs, missed: count > missedMax ? "many" : "few", ...definedOnly({ latestMs }) };
}
