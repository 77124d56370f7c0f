/** A read-only DaemonSet and questions about it. */
import type { DaemonSet } from "@drover/api/apps/v1";
import { getOwn } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podRevisionLabel } from "../history/controller-revision.ts";
import type { PodView } from "../shared/pod-state.ts";

export type DaemonSetView = DeepReadonly<DaemonSet>;

/** Pod label with the generation of the template: older than hashes, and still written. */
export const templateGenerationLabel = "pod-template-generation";

/** Returns the template's generation, which the server keeps in an annotation; undefined when that is not a number. */
export function templateGeneration({ metadata: { annotations = {} } }: DaemonSetView): string | undefined {
  const text = getOwn(annotations, "deprecated.daemonset.template.generation");
  return text !== undefined && /^[+-]?\d+$/.test(text) ? String(BigInt(text)) : undefined;
}

/** Whether a pod belongs to this revision or, failing that, to the DaemonSet's current template by generation. */
export function isUpdated({ metadata: { labels = {} } }: PodView, daemonSet: DaemonSetView, hash: string): boolean {
  const generation = templateGeneration(daemonSet);
  return (
    (hash !== "" && getOwn(labels, podRevisionLabel) === hash) ||
    (generation !== undefined && getOwn(labels, templateGenerationLabel) === generation)
  );
}
