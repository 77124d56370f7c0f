/**
 * The pod of one node: made so that the scheduler can put it nowhere else, and recognised by that before it has.
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

/** The template as all its pods have it: with the labels of its revision and what every daemon tolerates. */
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

/** The template of the pod for this node. Which nodes it could have asked for is over: it was made for one of them. */
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

/** The node a pod is on, or was made for; undefined when it says neither. */
export function targetNodeName({ spec }: PodView): string | undefined {
  if (spec?.nodeName !== undefined && spec.nodeName !== "") return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const named = terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === "metadata.name" && operator === "In");
  return named?.values?.length === 1 ? named.values[0] : undefined;
}
