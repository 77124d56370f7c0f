/** Which changes can help which of the pods that have no place. */
import type { Node, Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { semanticEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isOver } from "./scheduler-state.ts";

/** Whether a pod that waits could have a place now. */
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
 * A pod that goes or ends makes room for everybody; one that comes to a node, or changes its labels, matters to those
 * that look at others.
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

/** Whether a pod that waits is as it was, in all that its place depends on. */
export function hasSameWishes(before: DeepReadonly<Pod>, pod: DeepReadonly<Pod>): boolean {
  const { uid, generation, labels } = pod.metadata;
  return before.metadata.uid === uid && before.metadata.generation === generation && semanticEqual(before.metadata.labels, labels);
}

/** A heartbeat helps nobody. */
export function nodeHelps(change: Change<Node>): boolean {
  return change.type === "added" || (change.type === "updated" && !semanticEqual(whatCounts(change.before), whatCounts(change.object)));
}

const whatCounts = ({ metadata, spec, status }: DeepReadonly<Node>): readonly unknown[] => [
  metadata.labels,
  spec?.taints,
  spec?.unschedulable,
  status?.allocatable,
];
