/** The strategy of Job. */
import { checkDns1123Label, fieldInvalid, fieldRequired, isStatusConditionTrue, validateLabelSelector } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { Job, JobSpec } from "@drover/api/batch/v1";
import type { Affinity, Container, PodSpec, PodTemplateSpec } from "@drover/api/core/v1";
import type { Strategy } from "../../../registry/strategy.ts";
import { validateImmutableInternal } from "../internal/internal-field.ts";
import { generateJobSelector, validateGeneratedSelector } from "./job-selector.ts";
import { validateJobSpec } from "./job-spec.ts";
import { validateJobStatusUpdate } from "./job-status.ts";
import { jobSpecWarnings } from "./job-warnings.ts";
import { dropDisabledFields } from "../pod/disabled-fields.ts";
import { podSpecOf } from "../pod/pod-spec.ts";
import { readSelector, validateMatches } from "../template-selector.ts";
import { workloadNameWarnings } from "../workload-name.ts";

export const jobStrategy: Strategy<Job> = {
  prepareForCreate: (job) => {
    generateJobSelector(job);
    dropDisabledFields(job.spec?.template.spec);
  },
  validate: validateJob,
  warningsOnCreate: (job) => [...workloadNameWarnings(job), ...jobSpecWarnings(job.spec, "spec")],
  prepareForUpdate: ({ spec }) => dropDisabledFields(spec?.template.spec),
  validateUpdate: (job, old) => [...validateJob(job), ...validateJobUpdate(job, old)],
  warningsOnUpdate: (job, old) => (job.metadata.generation === old.metadata.generation ? [] : jobSpecWarnings(job.spec, "spec")),
  warningsOnDelete: (_job, { propagationPolicy, orphanDependents }) =>
    propagationPolicy !== undefined || orphanDependents !== undefined
      ? []
      : [
          "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
        ],
  subresources: { status: { validateUpdate: validateJobStatusUpdate } },
};

function validateJob(job: Job): FieldError[] {
  const {
    spec,
    metadata: { name = "" },
  } = job;
  if (spec === undefined) return [fieldRequired("spec")];
  const lastHost = `${name}-${(spec.completions ?? 0) - 1}`;
  const isTooLong = spec.completionMode === "Indexed" && (spec.completions ?? 0) > 0 && checkDns1123Label(lastHost).length > 0;
  return [
    ...validateGeneratedSelector(job),
    ...validateSpecAndSelector(spec),
    ...(isTooLong ? [fieldInvalid("metadata.name", name, `will not able to create pod with invalid DNS label: ${lastHost}`)] : []),
  ];
}

function validateSpecAndSelector(spec: JobSpec): FieldError[] {
  const selector = readSelector(spec.selector);
  return [
    ...validateJobSpec(spec, "spec"),
    ...(spec.selector === undefined || spec.selector === null
      ? [fieldRequired("spec.selector")]
      : validateLabelSelector(spec.selector, "spec.selector")),
    ...(selector === undefined ? [] : validateMatches(selector, spec.template, "spec.template")),
  ];
}

/** kube-apiserver validates a changed spec twice. */
function validateJobUpdate({ spec }: Job, { spec: old, status: oldStatus }: Job): FieldError[] {
  if (spec === undefined || old === undefined) return [];
  const isSuspended = old.suspend === true;
  const hasStopped =
    (oldStatus?.startTime === undefined || isStatusConditionTrue(oldStatus.conditions, "Suspended")) && (oldStatus?.active ?? 0) === 0;
  return [
    ...validateSpecAndSelector(spec),
    ...validateCompletionsUpdate(spec, old),
    ...validateImmutableInternal(spec.selector, old.selector, "spec.selector", "*LabelSelector"),
    ...(isSuspended && hasStopped
      ? validateIdleTemplateUpdate(spec.template, old.template)
      : validateImmutableInternal(spec.template, old.template, "spec.template", "PodTemplateSpec")),
    ...validateImmutableInternal(spec.completionMode, old.completionMode, "spec.completionMode", "*string"),
    ...validateImmutableInternal(spec.podFailurePolicy, old.podFailurePolicy, "spec.podFailurePolicy", "*PodFailurePolicy"),
    ...validateImmutableInternal(spec.backoffLimitPerIndex, old.backoffLimitPerIndex, "spec.backoffLimitPerIndex", "*int32"),
    ...validateImmutableInternal(spec.managedBy, old.managedBy, "spec.managedBy", "*string"),
    ...validateImmutableInternal(spec.successPolicy, old.successPolicy, "spec.successPolicy", "*SuccessPolicy"),
  ];
}

/** An indexed Job can be scaled together with its parallelism. */
function validateCompletionsUpdate(spec: JobSpec, old: JobSpec): FieldError[] {
  if (spec.completionMode !== "Indexed") return validateImmutableInternal(spec.completions, old.completions, "spec.completions", "*int32");
  if (spec.completions === undefined || spec.completions === old.completions || spec.completions === spec.parallelism) return [];
  return [fieldInvalid("spec.completions", spec.completions, "can only be modified in tandem with spec.parallelism")];
}

/** While a Job is suspended and idle, its scheduling directives and resources can change; labels and annotations too. */
function validateIdleTemplateUpdate(template: PodTemplateSpec, old: PodTemplateSpec): FieldError[] {
  const spec = podSpecOf(template);
  const expected: PodSpec = { ...podSpecOf(old), containers: takeResources(podSpecOf(old).containers, spec.containers) };
  if (expected.initContainers !== undefined) expected.initContainers = takeResources(expected.initContainers, spec.initContainers ?? []);
  for (const field of ["nodeSelector", "tolerations", "schedulingGates"] as const) delete expected[field];
  Object.assign(
    expected,
    Object.fromEntries(
      (["nodeSelector", "tolerations", "schedulingGates"] as const)
        .filter((field) => spec[field] !== undefined)
        .map((field) => [field, spec[field]]),
    ),
  );
  takeNodeAffinity(expected, spec.affinity);
  return validateImmutableInternal(spec, expected, "spec.template.spec", "PodSpec");
}

function takeResources(old: readonly Container[], containers: readonly Container[]): Container[] {
  if (old.length !== containers.length) return [...old];
  return old.map((container, index) => {
    const { name, resources } = containers[index] ?? { name: "" };
    return name === container.name && resources !== undefined ? { ...container, resources } : container;
  });
}

function takeNodeAffinity(expected: PodSpec, affinity: Affinity | undefined): void {
  const { nodeAffinity: _, ...others }: Affinity = expected.affinity ?? {};
  const next: Affinity = affinity?.nodeAffinity === undefined ? others : { ...others, nodeAffinity: affinity.nodeAffinity };
  if (affinity === undefined && Object.keys(next).length === 0) delete expected.affinity;
  else if (affinity !== undefined || expected.affinity !== undefined) expected.affinity = next;
}
