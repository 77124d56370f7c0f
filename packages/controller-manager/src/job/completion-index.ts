/** The completion index of a pod in an Indexed Job and its failure counts, both stored on the pod so that they survive the controller. */
import { getOwn } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";

/** Annotation and label: the completion that the pod works on. */
export const indexAnnotation = "batch.kubernetes.io/job-completion-index";
/** Number of pods of this index that failed before. */
export const failureCountAnnotation = "batch.kubernetes.io/job-index-failure-count";
/** Number of failures that do not count. */
export const ignoredFailureCountAnnotation = "batch.kubernetes.io/job-index-ignored-failure-count";

const int32Max = 2 ** 31 - 1;

/** Returns the pod's index; undefined when it is missing or invalid. */
export function completionIndex(pod: PodView): number | undefined {
  return naturalNumber(pod, indexAnnotation);
}

/** Returns the pod's index if it is below `count`. */
export function indexBelow(pod: PodView, count: number): number | undefined {
  const index = completionIndex(pod);
  return index !== undefined && index < count ? index : undefined;
}

/** Lowest index first; pods without one come before all. */
export function byCompletionIndex(a: PodView, b: PodView): number {
  return (completionIndex(a) ?? -1) - (completionIndex(b) ?? -1);
}

/** Returns the failures of the index when the pod was created; 0 when missing or invalid. */
export function indexFailures(pod: PodView): number {
  return int32(naturalNumber(pod, failureCountAnnotation));
}

/** Returns those of them that do not count. */
export function ignoredIndexFailures(pod: PodView): number {
  return int32(naturalNumber(pod, ignoredFailureCountAnnotation));
}

const int32 = (count: number | undefined): number => (count === undefined || count > int32Max ? 0 : count);

function naturalNumber({ metadata: { annotations = {} } }: PodView, annotation: string): number | undefined {
  const text = getOwn(annotations, annotation);
  return text !== undefined && /^\+?[0-9]+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}
