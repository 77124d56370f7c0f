/**
 * The pod for one node: node affinity lets the scheduler bind it nowhere else, and identifies its node before it is bound.
 *
 *     template, hash → daemonTemplate → templateForNode → created;   pod → targetNodeName
 */
import type { Affinity, NodeSelectorTerm, PodTemplateSpec } from "@drover/api/core/v1";
import { definedOnly } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podRevisionLabel } from "../history/controller-revision.ts";
import type { PodView } from "../shared/pod-state.ts";
import { daemonTolerations } from "./daemon-tolerations.ts";
import { templateGeneration, templateGenerationLabel } from "./daemon-set-view.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";

type TemplateView = DeepReadonly<PodTemplateSpec>;

/** Returns the template for all pods, with the labels of its revision and the tolerations of every daemon. */
export function daemonTemplate(daemonSet: DaemonSetView, hash: string): TemplateView {
  const { metadata = {}, spec = { containers: [] } } = daemonSet.spec?.template ?? {};
  const generation = templateGeneration(daemonSet);
  const labels = {
    ...metadata.labels,
    ...definedOnly({ [templateGenerationLabel]: generation }),
    ...(hash === "" ? {} : { [podRevisionLabel]: hash }),
  };
  return { metadata: { ...metadata, labels }, spec: { ...spec, tolerations: daemonTolerations(spec) } };
}

/** Returns the template of the pod for this node, whose affinity replaces the node selection of the original. */
export function templateForNode({ metadata = {}, spec = { containers: [] } }: TemplateView, node: string): TemplateView {
  const { affinity = {} } = spec;
  const nodeSelectorTerms: readonly DeepReadonly<NodeSelectorTerm>[] = [
    { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] },
  ];
  const bound: DeepReadonly<Affinity> = {
    ...affinity,
    nodeAffinity: { ...affinity.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
  };
  return { metadata, spec: { ...spec, affinity: bound } };
}

/** Returns the node a pod is bound to or was made for; undefined when it names neither. */
export function targetNodeName({ spec }: PodView): string | undefined {
  if (spec?.nodeName !== undefined && spec.nodeName !== "") return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const named = terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === "metadata.name" && operator === "In");
  return named?.values?.length === 1 ? named.values[0] : undefined;
}
