/** The schedule of a CronJob: its text, read in its time zone. */
import { parseCronSchedule, timeZoneOf, ValueSyntaxError } from "@drover/machinery";
import type { CronSchedule } from "@drover/machinery";
import type { CronJobView } from "./cron-job-view.ts";

/** What a CronJob's schedule comes to. */
export interface ScheduleReading {
  /** Undefined when it cannot be read. */
  readonly schedule?: CronSchedule;
  /** Why it cannot be read, in the words of the library that Kubernetes uses. */
  readonly problem?: string;
  /** Whether a zone stands in the text itself. It counts, and `spec.timeZone` does not; the server lets no new ones in. */
  readonly hasZone: boolean;
}

/** Never throws: what is wrong with a schedule is for events. A zone that is unknown is left out here; `unknownZone` tells of it. */
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

/** The name of the CronJob's time zone when there is no such zone. */
export function unknownZone({ spec: { timeZone } }: CronJobView): string | undefined {
  return timeZone !== undefined && timeZone !== null && isUnknown(timeZone) ? timeZone : undefined;
}

const isUnknown = (name: string): boolean => name !== "Local" && timeZoneOf(name) === undefined;
