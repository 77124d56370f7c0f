/** Validates cron schedules. */
import { parseCronSchedule, ValueSyntaxError } from "@drover/machinery";

/** Returns the error in the words of Kubernetes' cron library; undefined for a valid schedule. */
export function cronScheduleProblem(schedule: string): string | undefined {
  try {
    parseCronSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ValueSyntaxError) return error.message;
    throw error;
  }
}
