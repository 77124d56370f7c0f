/** The pods of a Job: its template, the tracking finalizer and, for an Indexed Job, the completion index. */
import type { Container, PodTemplateSpec } from "@drover/api/core/v1";
import { withFinalizer } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import {
  failureCountAnnotation,
  ignoredFailureCountAnnotation,
  ignoredIndexFailures,
  indexAnnotation,
  indexFailures,
} from "./completion-index.ts";
import { indexLimit, jobSpec, trackingFinalizer } from "./job-view.ts";
import type { JobView } from "./job-view.ts";
import { failureVerdict } from "./pod-failure-policy.ts";

type Template = DeepReadonly<PodTemplateSpec>;

/** Environment variable with the index. */
const indexVariable = "JOB_COMPLETION_INDEX";
/** Leaves room in 63 characters for the five that the server adds. */
const generatedBaseMax = 58;

/** Returns the template of a pod without an index. */
export function jobPodTemplate(job: JobView): Template {
  const { template } = jobSpec(job);
  return { ...template, metadata: { ...template.metadata, finalizers: withFinalizer(template.metadata?.finalizers, trackingFinalizer) } };
}

/** Returns the template of the pod for this index, after a failed one if given. */
export function indexedPodTemplate(job: JobView, index: number, failed: PodView | undefined): Template {
  const { metadata, spec } = jobPodTemplate(job);
  const number = String(index);
  return {
    metadata: {
      ...metadata,
      annotations: {
        ...metadata?.annotations,
        [indexAnnotation]: number,
        ...(indexLimit(job) === undefined ? {} : failureCounts(job, failed)),
      },
      labels: { ...metadata?.labels, [indexAnnotation]: number },
    },
    spec: {
      ...spec,
      containers: (spec?.containers ?? []).map(withIndexVariable),
      hostname: `${job.metadata.name}-${number}`,
      ...(spec?.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withIndexVariable) }),
    },
  };
}

/** Returns the name prefix for pods of the index, cutting a long Job name. */
export function indexedPodPrefix(job: JobView, index: number): string {
  const end = `-${index}-`;
  return `${(job.metadata.name ?? "").slice(0, generatedBaseMax - end.length)}${end}`;
}

function failureCounts(job: JobView, failed: PodView | undefined): Readonly<Record<string, string>> {
  if (failed === undefined) return { [failureCountAnnotation]: "0" };
  const { isCounted } = failureVerdict(jobSpec(job).podFailurePolicy, failed);
  const ignored = ignoredIndexFailures(failed) + (isCounted ? 0 : 1);
  return {
    [failureCountAnnotation]: String(indexFailures(failed) + (isCounted ? 1 : 0)),
    ...(ignored === 0 ? {} : { [ignoredFailureCountAnnotation]: String(ignored) }),
  };
}

function withIndexVariable(container: DeepReadonly<Container>): DeepReadonly<Container> {
  if (container.env?.some(({ name }) => name === indexVariable) === true) return container;
  return {
    ...container,
    env: [
      ...(container.env ?? []),
      { name: indexVariable, valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } } },
    ],
  };
}
