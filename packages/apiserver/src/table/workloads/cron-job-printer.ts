/** CronJob: schedule, suspension and last run. */
import type { CronJob } from "@drover/api/batch/v1";
import { formatLabelSelector } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, containersColumn, imagesColumn, nameColumn } from "../columns.ts";
import { containerText } from "../container-text.ts";
import { printer } from "../printer.ts";

export const cronJobPrinter: TablePrinter = printer<CronJob>(
  [
    nameColumn,
    column("Schedule", "The schedule in cron format."),
    column("Timezone", "The time zone of the schedule."),
    column("Suspend", "Whether the schedule is suspended.", { type: "boolean" }),
    column("Active", "The number of running jobs.", { type: "integer" }),
    column("Last Schedule", "The time since the last job was started."),
    ageColumn,
    containersColumn,
    imagesColumn,
    column("Selector", "The labels by which the jobs find their pods.", { priority: 1 }),
  ],
  ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => {
    const lastSchedule = status?.lastScheduleTime === undefined ? "<none>" : ageOf(status.lastScheduleTime, now);
    return [
      name,
      spec?.schedule ?? "",
      spec?.timeZone ?? "<none>",
      suspension(spec?.suspend),
      status?.active?.length ?? 0,
      lastSchedule,
      ageOf(creationTimestamp, now),
      ...containerText(spec?.jobTemplate.spec?.template),
      formatLabelSelector(spec?.jobTemplate.spec?.selector),
    ];
  },
);

/** A string, although the column's type is boolean. */
function suspension(suspend: boolean | undefined): string {
  if (suspend === undefined) return "<unset>";
  return suspend ? "True" : "False";
}
