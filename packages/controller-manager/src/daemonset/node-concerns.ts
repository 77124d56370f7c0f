/** Which DaemonSets to sync when a node changes. Heartbeats of nodes, every few seconds, do not count. */
import type { Node } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { isControlledBy, objectKeyOf, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import { nodeJudge } from "./node-fit.ts";
import type { NodeFit } from "./node-fit.ts";

/** Lookups that the decision needs. */
export interface NodeConcernsOptions {
  readonly daemonSets: readonly DaemonSetView[];
  /** Pods on a node or made for it, of any owner. */
  readonly podsOn: (node: string) => readonly PodView[];
}

const nowhere: NodeFit = { shouldRun: false, shouldContinue: false };

/**
 * Returns the DaemonSets whose decision about the node changes, that miss a pod there or have one too many, or that may count one
 * as misscheduled.
 */
export function nodeConcerns(change: Change<Node>, { daemonSets, podsOn }: NodeConcernsOptions): readonly ObjectKey[] {
  if (change.type === "updated" && (change.isResync || !hasNews(change.before, change.object))) return [];
  const pods = podsOn(change.object.metadata.name ?? "");
  return daemonSets
    .filter((daemonSet) => {
      const judge = nodeJudge(daemonSet);
      const before = change.type === "added" ? nowhere : judge(change.type === "updated" ? change.before : change.object);
      const now = change.type === "deleted" ? nowhere : judge(change.object);
      const isThere = pods.some((pod) => isControlledBy(pod, daemonSet));
      // A new node that already has its pod was counted before this process started.
      const changesMind = change.type !== "added" && (before.shouldRun !== now.shouldRun || before.shouldContinue !== now.shouldContinue);
      return (
        changesMind ||
        (now.shouldRun && !isThere) ||
        (!now.shouldContinue && isThere) ||
        (isThere && (daemonSet.status?.numberMisscheduled ?? 0) > 0)
      );
    })
    .map(objectKeyOf);
}

function hasNews(before: DeepReadonly<Node>, node: DeepReadonly<Node>): boolean {
  return (
    !semanticEqual(before.metadata.labels ?? {}, node.metadata.labels ?? {}) ||
    !semanticEqual(before.spec?.taints ?? [], node.spec?.taints ?? [])
  );
}
