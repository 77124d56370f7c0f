/** Validates updates of a Job's status. A field is validated when it changes, so that a Job whose spec just changed can be written. */
import {
  compareTimes,
  fieldDuplicate,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  isStatusConditionFalse,
  isStatusConditionTrue,
  semanticEqual,
} from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { Job, JobStatus } from "@drover/api/batch/v1";
import { immutableText, validateNonNegative } from "../checked-field.ts";
import { invalidInternal } from "../internal/internal-field.ts";
import { readIndexList, sharedIndex } from "./index-list.ts";

const path = "status.conditions";
const isTrue = ({ conditions }: JobStatus, type: string): boolean => isStatusConditionTrue(conditions, type);
const isFinished = (status: JobStatus): boolean => isTrue(status, "Complete") || isTrue(status, "Failed");
const omitted = (detail: string): FieldError => fieldInvalid(path, undefined, detail);

/** Validates the new status against the old one. */
export function validateJobStatusUpdate(job: Job, old: Job): FieldError[] {
  const [now, before] = [job.status ?? {}, old.status ?? {}];
  return [
    ...validateNumbers(now),
    ...validateEnd(now, before, job),
    ...validateIndexes(now, before, job),
    ...validateRest(now, before),
    ...validateTransitions(now, before, job),
  ];
}

function validateNumbers(now: JobStatus): FieldError[] {
  const { succeeded = [], failed = [] } = now.uncountedTerminatedPods ?? {};
  const seen = new Set<string>();
  const uids = (list: readonly string[], at: string): FieldError[] =>
    list.flatMap((uid, index) => {
      const isDouble = seen.has(uid);
      if (uid !== "") seen.add(uid);
      if (uid === "") return [fieldInvalid(fieldIndex(at, index), uid, "must not be empty")];
      return isDouble ? [fieldDuplicate(fieldIndex(at, index), uid)] : [];
    });
  return [
    ...(["active", "succeeded", "failed", "ready", "terminating"] as const).flatMap((field) =>
      validateNonNegative(now[field], `status.${field}`),
    ),
    ...uids(succeeded, "status.uncountedTerminatedPods.succeeded"),
    ...uids(failed, "status.uncountedTerminatedPods.failed"),
  ];
}

function validateEnd(now: JobStatus, before: JobStatus, job: Job): FieldError[] {
  const changed = (type: string): boolean => isTrue(now, type) !== isTrue(before, type);
  const [complete, failed] = [isTrue(now, "Complete"), isTrue(now, "Failed")];
  const timeChanged = now.completionTime !== before.completionTime;
  const startChanged = now.startTime !== before.startTime;
  const finishedChanged = isFinished(now) !== isFinished(before);
  const { completionTime, startTime, active = 0, uncountedTerminatedPods: uncounted } = now;
  const neverStarts = job.spec?.suspend === true && job.spec.completions === 0;
  const rules: readonly (readonly [boolean, () => FieldError])[] = [
    [
      (changed("Complete") || changed("Failed")) && complete && failed,
      () => omitted("cannot set Complete=True and Failed=true conditions"),
    ],
    [
      (changed("Complete") || changed("FailureTarget")) && complete && isTrue(now, "FailureTarget"),
      () => omitted("cannot set Complete=True and FailureTarget=true conditions"),
    ],
    [
      (changed("Complete") || timeChanged) && completionTime !== undefined && !complete,
      () => fieldInvalid("status.completionTime", completionTime, "cannot set completionTime when there is no Complete=True condition"),
    ],
    [
      (changed("Complete") || timeChanged) && completionTime === undefined && complete,
      () => fieldRequired("status.completionTime", "completionTime is required for Complete jobs"),
    ],
    [
      (startChanged || timeChanged) &&
        startTime !== undefined &&
        completionTime !== undefined &&
        compareTimes(completionTime, startTime) < 0,
      () => fieldInvalid("status.completionTime", completionTime, "must be equal to or after `startTime`"),
    ],
    [
      (changed("Failed") || now.failedIndexes !== before.failedIndexes) && failed && !isTrue(now, "FailureTarget"),
      () => omitted("cannot set Failed=True condition without the FailureTarget=true condition"),
    ],
    [
      (changed("Complete") || changed("SuccessCriteriaMet")) && complete && !isTrue(now, "SuccessCriteriaMet"),
      () => omitted("cannot set Complete=True condition without the SuccessCriteriaMet=true condition"),
    ],
    [
      (finishedChanged || active !== (before.active ?? 0)) && active > 0 && isFinished(now),
      () => fieldInvalid("status.active", active, "active>0 is invalid for finished job"),
    ],
    [
      (finishedChanged || startChanged) && !neverStarts && startTime === undefined && isFinished(now),
      () => fieldRequired("status.startTime", "startTime is required for finished job"),
    ],
    [
      (finishedChanged || !semanticEqual(uncounted, before.uncountedTerminatedPods)) &&
        isFinished(now) &&
        (uncounted?.failed ?? []).length + (uncounted?.succeeded ?? []).length > 0,
      () => invalidInternal("status.uncountedTerminatedPods", "UncountedTerminatedPods", uncounted, "must be empty for finished job"),
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, error]) => error());
}

function validateIndexes(now: JobStatus, before: JobStatus, { spec }: Job): FieldError[] {
  const { completions, backoffLimitPerIndex, completionMode } = spec ?? {};
  const { completedIndexes: completed = "", failedIndexes: failed } = now;
  const [completedChanged, failedChanged] = [completed !== (before.completedIndexes ?? ""), failed !== before.failedIndexes];
  const errors: FieldError[] = [];
  if (completions !== undefined) {
    const read = completedChanged ? readIndexList(completed, completions) : 0;
    if (typeof read === "string")
      errors.push(fieldInvalid("status.completedIndexes", completed, `error parsing completedIndexes: ${read}`));
    const readFailed = failedChanged && backoffLimitPerIndex !== undefined && failed !== undefined ? readIndexList(failed, completions) : 0;
    if (typeof readFailed === "string")
      errors.push(fieldInvalid("status.failedIndexes", failed, `error parsing failedIndexes: ${readFailed}`));
  }
  if (completedChanged && completed !== "" && completionMode !== "Indexed")
    errors.push(
      fieldInvalid("status.completedIndexes", completed, "cannot set non-empty completedIndexes when non-indexed completion mode"),
    );
  if (failedChanged && backoffLimitPerIndex === undefined && failed !== undefined)
    errors.push(fieldInvalid("status.failedIndexes", failed, "cannot set non-null failedIndexes when backoffLimitPerIndex is null"));
  const shared =
    (completedChanged || failedChanged) && completions !== undefined && failed !== undefined
      ? sharedIndex(completed, failed, completions)
      : undefined;
  if (shared !== undefined)
    errors.push(fieldInvalid("status.failedIndexes", failed, `failedIndexes and completedIndexes overlap at index: ${shared}`));
  return errors;
}

function validateRest(now: JobStatus, before: JobStatus): FieldError[] {
  const { active = 0, ready, terminating } = now;
  const finishedChanged = isFinished(now) !== isFinished(before);
  const errors: FieldError[] = [];
  if ((finishedChanged || terminating !== before.terminating) && (terminating ?? 0) > 0 && isFinished(now))
    errors.push(fieldInvalid("status.terminating", terminating, "terminating>0 is invalid for finished job"));
  if ((ready !== before.ready || active !== (before.active ?? 0)) && ready !== undefined && ready > active)
    errors.push(fieldInvalid("status.ready", ready, "cannot set more ready pods than active"));
  if (isTrue(now, "SuccessCriteriaMet") && isTrue(now, "Failed"))
    errors.push(omitted("cannot set SuccessCriteriaMet=True and Failed=true conditions"));
  if (isTrue(now, "SuccessCriteriaMet") && isTrue(now, "FailureTarget"))
    errors.push(omitted("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"));
  return errors;
}

function validateTransitions(now: JobStatus, before: JobStatus, { spec }: Job): FieldError[] {
  const errors: FieldError[] = [];
  if (spec?.successPolicy !== undefined && !isTrue(now, "SuccessCriteriaMet") && isTrue(now, "Complete"))
    errors.push(omitted("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True"));
  for (const type of ["Failed", "Complete", "FailureTarget"])
    if (isTrue(before, type) && !isTrue(now, type)) errors.push(omitted(`cannot disable the terminal ${type}=True condition`));
  const { failed = 0, succeeded = 0, completionTime, startTime } = now;
  if (failed < (before.failed ?? 0)) errors.push(fieldInvalid("status.failed", failed, "cannot decrease the failed counter"));
  // An indexed Job with as many pods as indexes can be scaled down.
  const isElastic = spec?.completionMode === "Indexed" && spec.completions === spec.parallelism;
  if (!isElastic && succeeded < (before.succeeded ?? 0))
    errors.push(fieldInvalid("status.succeeded", succeeded, "cannot decrease the succeeded counter"));
  if (completionTime !== undefined && before.completionTime !== undefined && completionTime !== before.completionTime)
    errors.push(fieldInvalid("status.completionTime", completionTime, immutableText));
  const isResuming = isTrue(before, "Suspended") && isStatusConditionFalse(now.conditions, "Suspended");
  if (before.startTime !== undefined && before.startTime !== startTime && !isResuming && spec?.suspend !== true) {
    errors.push(fieldInvalid("status.startTime", startTime ?? null, "field is immutable for unsuspended job once set"));
  }
  if (isTrue(before, "SuccessCriteriaMet") && !isTrue(now, "SuccessCriteriaMet"))
    errors.push(omitted("cannot disable the SuccessCriteriaMet=True condition"));
  if (isTrue(before, "Complete") && !isTrue(before, "SuccessCriteriaMet") && isTrue(now, "SuccessCriteriaMet"))
    errors.push(omitted("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions"));
  return errors;
}
