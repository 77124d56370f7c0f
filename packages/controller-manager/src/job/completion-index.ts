/**
 * The number of a pod in an indexed Job, and how often that number has failed: both written on the pod, so that they
 * outlive whoever counts.
 */
import { getOwn } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";

/** Annotation and label: which of the completions the pod works on. */
export const indexAnnotation = "batch.kubernetes.io/job-completion-index";
/** How many pods of this index failed before this one. */
export const failureCountAnnotation = "batch.kubernetes.io/job-index-failure-count";
/** How many more failed in a way that does not count. */
export const ignoredFailureCountAnnotation = "batch.kubernetes.io/job-index-ignored-failure-count";

const int32Max = 2 ** 31 - 1;

/** The pod's index; undefined when it has none that can be read. */
export function completionIndex(pod: PodView): number | undefined {
  return naturalNumber(pod, indexAnnotation);
}

/** The pod's index when the Job has so many. */
export function indexBelow(pod: PodView, count: number): number | undefined {
  const index = completionIndex(pod);
  return index !== undefined && index < count ? index : undefined;
}

/** The lowest index first, before all of them pods without one. */
export function byCompletionIndex(a: PodView, b: PodView): number {
  return (completionIndex(a) ?? -1) - (completionIndex(b) ?? -1);
}

/** How often the index had failed when the pod was made; 0 where nobody says, or says nonsense. */
export function indexFailures(pod: PodView): number {
  return int32(naturalNumber(pod, failureCountAnnotation));
}

/** Of these, those that do not count. */
export function ignoredIndexFailures(pod: PodView): number {
  return int32(naturalNumber(pod, ignoredFailureCountAnnotation));
}

const int32 = (count: number | undefined): number => (count === undefined || count > int32Max ? 0 : count);

function naturalNumber({ metadata: { annotations = {} } }: PodView, annotation: string): number | undefined {
  const text = getOwn(annotations, annotation);
  return text !== undefined && /^\+?[0-9]+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}
