/** What is wrong with a schedule. */
import { parseCronSchedule, ValueSyntaxError } from "@drover/machinery";

/** In the words of the library that Kubernetes uses; undefined when nothing is. */
export function cronScheduleProblem(schedule: string): string | undefined {
  try {
    parseCronSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ValueSyntaxError) return error.message;
    throw error;
  }
}
