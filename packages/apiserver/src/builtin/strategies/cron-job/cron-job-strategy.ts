/** The strategy of CronJob. */
import { fieldInvalid, fieldNotSupported, fieldRequired } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { CronJob, CronJobSpec } from "@drover/api/batch/v1";
import type { Strategy } from "../../../registry/strategy.ts";
import { validateChoice, validateNonNegative } from "../checked-field.ts";
import { cronScheduleProblem } from "./cron-schedule.ts";
import { validateTimeZone } from "./time-zone.ts";
import { invalidInternal } from "../internal/internal-field.ts";
import { validateJobSpec } from "../job/job-spec.ts";
import { jobSpecWarnings } from "../job/job-warnings.ts";
import { dropDisabledFields } from "../pod/disabled-fields.ts";
import { workloadNameWarnings } from "../workload-name.ts";

/** 63 for a label, minus 11 for the timestamp that the controller appends. */
const nameLengthMax = 52;
const jobPath = "spec.jobTemplate.spec";

export const cronJobStrategy: Strategy<CronJob> = {
  prepareForCreate: ({ spec }) => dropDisabledFields(spec?.jobTemplate.spec?.template.spec),
  validate: ({ spec, metadata: { name = "" } }) => [
    ...validateCronJobSpec(spec, undefined),
    ...(name.length > nameLengthMax ? [fieldInvalid("metadata.name", name, `must be no more than ${nameLengthMax} characters`)] : []),
  ],
  warningsOnCreate: (cronJob) => [...workloadNameWarnings(cronJob), ...jobSpecWarnings(cronJob.spec?.jobTemplate.spec, jobPath)],
  prepareForUpdate: ({ spec }) => dropDisabledFields(spec?.jobTemplate.spec?.template.spec),
  validateUpdate: ({ spec }, old) => validateCronJobSpec(spec, old.spec),
  warningsOnUpdate: ({ metadata, spec }, old) => [
    ...(metadata.generation === old.metadata.generation ? [] : jobSpecWarnings(spec?.jobTemplate.spec, jobPath)),
    ...((spec?.schedule ?? "").includes("TZ")
      ? [
          "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
        ]
      : []),
  ],
};

function validateCronJobSpec(spec: CronJobSpec | undefined, old: CronJobSpec | undefined): FieldError[] {
  if (spec === undefined) return [fieldRequired("spec")];
  return [
    ...(spec.schedule === "" ? [fieldRequired("spec.schedule")] : validateSchedule(spec.schedule)),
    ...validateNonNegative(spec.startingDeadlineSeconds, "spec.startingDeadlineSeconds"),
    ...(old !== undefined && old.timeZone === spec.timeZone ? [] : validateTimeZone(spec.timeZone, "spec.timeZone")),
    ...validateChoice(spec.concurrencyPolicy, "spec.concurrencyPolicy", ["Allow", "Forbid", "Replace"]),
    ...validateJobTemplate(spec),
    ...validateNonNegative(spec.successfulJobsHistoryLimit, "spec.successfulJobsHistoryLimit"),
    ...validateNonNegative(spec.failedJobsHistoryLimit, "spec.failedJobsHistoryLimit"),
  ];
}

function validateSchedule(schedule: string): FieldError[] {
  const problem = cronScheduleProblem(schedule);
  return [
    ...(problem === undefined ? [] : [fieldInvalid("spec.schedule", schedule, problem)]),
    ...(schedule.includes("TZ")
      ? [fieldInvalid("spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead")]
      : []),
  ];
}

/** Jobs get generated selectors, so the template must not have one. */
function validateJobTemplate({ jobTemplate: { spec } }: CronJobSpec): FieldError[] {
  if (spec === undefined) return [fieldRequired(jobPath)];
  return [
    ...validateJobSpec(spec, jobPath),
    ...(spec.selector === undefined
      ? []
      : [invalidInternal(`${jobPath}.selector`, "LabelSelector", spec.selector, "`selector` will be auto-generated")]),
    ...(spec.manualSelector === true ? [fieldNotSupported(`${jobPath}.manualSelector`, true, ["nil", "false"])] : []),
  ];
}
