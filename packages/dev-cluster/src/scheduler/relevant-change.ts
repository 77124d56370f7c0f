/** Which changes can make which unschedulable pods schedulable. */
import type { Node, Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { semanticEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isOver } from "./scheduler-state.ts";

/** Whether a pending pod could be schedulable now. */
export type CouldHelp = (pod: DeepReadonly<Pod>) => boolean;

const looksAtPods: CouldHelp = ({ spec }) =>
  spec?.affinity?.podAffinity !== undefined ||
  spec?.affinity?.podAntiAffinity !== undefined ||
  (spec?.topologySpreadConstraints ?? []).length > 0;

export const couldHelpPods: Readonly<Record<"claim" | "namespace", CouldHelp>> = {
  claim: ({ spec }) =>
    (spec?.volumes ?? []).some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim !== undefined || ephemeral !== undefined),
  namespace: looksAtPods,
};

/**
 * A pod that ends makes room for every pod; one that is bound, or changes its labels, matters to pods with affinity or spread
 * constraints.
 */
export function podHelps(change: Change<Pod>): CouldHelp | undefined {
  const { object } = change;
  const isPlaced = (object.spec?.nodeName ?? "") !== "";
  if (change.type === "deleted") return isPlaced ? () => true : undefined;
  if (!isPlaced) return undefined;
  if (change.type === "added") return isOver(object) ? undefined : looksAtPods;
  if (isOver(object)) return isOver(change.before) ? undefined : () => true;
  const isNews =
    change.before.spec?.nodeName !== object.spec?.nodeName || !semanticEqual(change.before.metadata.labels, object.metadata.labels);
  return isNews || (object.metadata.deletionTimestamp !== undefined && change.before.metadata.deletionTimestamp === undefined)
    ? looksAtPods
    : undefined;
}

/** Whether everything that scheduling depends on is unchanged in a pending pod. */
export function hasSameWishes(before: DeepReadonly<Pod>, pod: DeepReadonly<Pod>): boolean {
  const { uid, generation, labels } = pod.metadata;
  return before.metadata.uid === uid && before.metadata.generation === generation && semanticEqual(before.metadata.labels, labels);
}

/** A heartbeat never helps. */
export function nodeHelps(change: Change<Node>): boolean {
  return change.type === "added" || (change.type === "updated" && !semanticEqual(whatCounts(change.before), whatCounts(change.object)));
}

const whatCounts = ({ metadata, spec, status }: DeepReadonly<Node>): readonly unknown[] => [
  metadata.labels,
  spec?.taints,
  spec?.unschedulable,
  status?.allocatable,
];
