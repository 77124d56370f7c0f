/** The schedule of a CronJob: its text, parsed in its time zone. */
import { parseCronSchedule, timeZoneOf, ValueSyntaxError } from "@drover/machinery";
import type { CronSchedule } from "@drover/machinery";
import type { CronJobView } from "./cron-job-view.ts";

/** Result of parsing a CronJob's schedule. */
export interface ScheduleReading {
  /** Undefined when it does not parse. */
  readonly schedule?: CronSchedule;
  /** Why it does not parse, in the words of the library that Kubernetes uses. */
  readonly problem?: string;
  /** Whether the text itself names a zone, which then overrides `spec.timeZone`. The server rejects such new CronJobs. */
  readonly hasZone: boolean;
}

/** Parses the schedule. Never throws: problems become events. Ignores an unknown zone, which `unknownZone` reports. */
export function scheduleOf({ spec: { schedule, timeZone } }: CronJobView): ScheduleReading {
  const hasZone = schedule.includes("TZ");
  const text = hasZone || timeZone === undefined || timeZone === null || isUnknown(timeZone) ? schedule : `TZ=${timeZone} ${schedule}`;
  try {
    return { schedule: parseCronSchedule(text), hasZone };
  } catch (error) {
    if (error instanceof ValueSyntaxError) return { problem: error.message, hasZone };
    throw error;
  }
}

/** Returns the CronJob's time zone when no such zone exists. */
export function unknownZone({ spec: { timeZone } }: CronJobView): string | undefined {
  return timeZone !== undefined && timeZone !== null && isUnknown(timeZone) ? timeZone : undefined;
}

const isUnknown = (name: string): boolean => name !== "Local" && timeZoneOf(name) === undefined;
