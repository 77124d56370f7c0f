/** Defaults of Job and CronJob: one pod to completion. Of a CronJob's job template only the pod template gets defaults. */
import type { CronJob, Job, JobSpec } from "@drover/api/batch/v1";
import { elements } from "./elements.ts";
import { setPodTemplateSpecDefaults } from "./pod-spec-defaults.ts";

/** No limit in effect: the largest value of the field. */
const int32Max = 2 ** 31 - 1;

export function setJobDefaults(job: Job): void {
  const { spec, metadata } = job;
  if (spec === undefined) return;
  if (spec.parallelism === undefined) spec.completions ??= 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : int32Max;
  const { labels } = spec.template.metadata ?? {};
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
  spec.completionMode ??= "NonIndexed";
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
  spec.manualSelector ??= false;
  setJobTemplateDefaults(spec);
}

export function setCronJobDefaults(cronJob: CronJob): void {
  const { spec } = cronJob;
  if (spec === undefined) return;
  spec.concurrencyPolicy ||= "Allow";
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  if (spec.jobTemplate.spec !== undefined) setJobTemplateDefaults(spec.jobTemplate.spec);
}

function setJobTemplateDefaults(spec: JobSpec): void {
  for (const { onPodConditions } of elements(spec.podFailurePolicy?.rules)) {
    for (const pattern of elements(onPodConditions)) pattern.status ||= "True";
  }
  setPodTemplateSpecDefaults(spec.template);
}
