/** Job: status, completions and duration. */
import type { Job } from "@drover/api/batch/v1";
import { formatLabelSelector, parseTime } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf, elapsed } from "../age.ts";
import { ageColumn, column, containersColumn, imagesColumn, nameColumn } from "../columns.ts";
import { containerText } from "../container-text.ts";
import { printer } from "../printer.ts";

export const jobPrinter: TablePrinter = printer<Job>(
  [
    nameColumn,
    column("Status", "The status of the job."),
    column("Completions", "The number of succeeded pods out of the required number."),
    column("Duration", "The duration of the job."),
    ageColumn,
    containersColumn,
    imagesColumn,
    column("Selector", "The labels by which pods are found.", { priority: 1 }),
  ],
  (job, now) => {
    const {
      metadata: { name = "", creationTimestamp },
      spec,
    } = job;
    return [
      name,
      stateOf(job),
      completions(job),
      duration(job, now),
      ageOf(creationTimestamp, now),
      ...containerText(spec?.template),
      formatLabelSelector(spec?.selector),
    ];
  },
);

function stateOf({ metadata, status }: Job): string {
  const has = (type: string): boolean => status?.conditions?.find((condition) => condition.type === type)?.status === "True";
  if (has("Complete")) return "Complete";
  if (has("Failed")) return "Failed";
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find(has) ?? "Running";
}

/** Without completions, one success of the parallel pods is enough. */
function completions({ spec, status }: Job): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function duration({ status }: Job, now: number): string {
  const { startTime, completionTime } = status ?? {};
  return startTime === undefined ? "" : elapsed(parseTime(startTime), completionTime === undefined ? now : parseTime(completionTime));
}
