/** A DaemonSet that is looked at, and what of it is asked again and again. */
import type { DaemonSet } from "@drover/api/apps/v1";
import { getOwn } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podRevisionLabel } from "../history/controller-revision.ts";
import type { PodView } from "../shared/pod-state.ts";

export type DaemonSetView = DeepReadonly<DaemonSet>;

/** The label by which a pod tells the generation of its template: older than hashes, and still written. */
export const templateGenerationLabel = "pod-template-generation";

/** The generation of the template, which the server counts in an annotation; undefined when there is none that is a number. */
export function templateGeneration({ metadata: { annotations = {} } }: DaemonSetView): string | undefined {
  const text = getOwn(annotations, "deprecated.daemonset.template.generation");
  return text !== undefined && /^[+-]?\d+$/.test(text) ? String(BigInt(text)) : undefined;
}

/** Whether a pod is of this revision, or else of the DaemonSet's present template by its generation. */
export function isUpdated({ metadata: { labels = {} } }: PodView, daemonSet: DaemonSetView, hash: string): boolean {
  const generation = templateGeneration(daemonSet);
  return (
    (hash !== "" && getOwn(labels, podRevisionLabel) === hash) ||
    (generation !== undefined && getOwn(labels, templateGenerationLabel) === generation)
  );
}
