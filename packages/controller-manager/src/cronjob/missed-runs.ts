/**
 * Which run of a CronJob is due, and how long until the next.
 *
 *     CronJob, schedule, now → dueRun → the latest scheduled time without a run;   waitMs → until the next time, plus slack
 *
 * Pure. As upstream does, the search estimates how many times were missed from the distance of the first two, so an irregular
 * schedule may report missed times and still have none due.
 */
import { definedOnly, nextRun } from "@drover/machinery";
import type { CronSchedule } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";
import type { CronJobView } from "./cron-job-view.ts";

/** More missed times than this suggest clock skew or a wrong deadline, and cause a warning event. */
const missedMax = 100;
/** Waits past the scheduled time by this much, because clocks differ. */
const slackMs = 100;

/** Scheduled times missed since the last run. */
export interface MissedRuns {
  /** Start of the search: the last run, the CronJob's creation, or the starting deadline. */
  readonly sinceMs: number;
  /** Latest scheduled time that has passed; undefined when none has, or the search found none. */
  readonly latestMs?: number;
  readonly missed: "none" | "few" | "many";
  /** What is wrong with a schedule that parses: it never fires. */
  readonly problem?: string;
}

/** Returns the latest scheduled time that has passed, within the starting deadline. */
export function dueRun(cronJob: CronJobView, schedule: CronSchedule, now: number): MissedRuns {
  const { startingDeadlineSeconds } = cronJob.spec;
  const since = lastServed(cronJob, now);
  const deadline = startingDeadlineSeconds === undefined || startingDeadlineSeconds === null ? since : now - startingDeadlineSeconds * 1000;
  return missedSince(Math.max(since, deadline), schedule, now);
}

/** Returns the milliseconds until the next scheduled time; zero or less when it is due. */
export function waitMs(cronJob: CronJobView, schedule: CronSchedule, now: number): number {
  const { sinceMs, latestMs, missed, problem } = missedSince(lastServed(cronJob, now), schedule, now);
  const from = problem !== undefined || (latestMs === undefined && missed !== "none") ? now : (latestMs ?? sinceMs);
  return (nextRun(schedule, from) ?? now) + slackMs - now;
}

/** The server always sets the creation timestamp. */
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
  // Starts one interval further back, for irregular schedules.
  for (let at = nextRun(schedule, first + (count - 2) * distanceMs); at !== undefined && at <= now; at = nextRun(schedule, at))
    latestMs = at;
  return { sinceMs, missed: count > missedMax ? "many" : "few", ...definedOnly({ latestMs }) };
}
