/**
 * Which DaemonSets a change of a node means something to. Nodes say that they are well every few seconds; that is
 * nobody's business here.
 */
import type { Node } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { isControlledBy, objectKeyOf, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import { nodeJudge } from "./node-fit.ts";
import type { NodeFit } from "./node-fit.ts";

/** What else is known. */
export interface NodeConcernsOptions {
  readonly daemonSets: readonly DaemonSetView[];
  /** Pods on a node or made for it, of whomever. */
  readonly podsOn: (node: string) => readonly PodView[];
}

const nowhere: NodeFit = { shouldRun: false, shouldContinue: false };

/** Those whose mind about the node changes, that miss a pod there or have one too many, and those that might count one as misplaced. */
export function nodeConcerns(change: Change<Node>, { daemonSets, podsOn }: NodeConcernsOptions): readonly ObjectKey[] {
  if (change.type === "updated" && (change.isResync || !hasNews(change.before, change.object))) return [];
  const pods = podsOn(change.object.metadata.name ?? "");
  return daemonSets
    .filter((daemonSet) => {
      const judge = nodeJudge(daemonSet);
      const before = change.type === "added" ? nowhere : judge(change.type === "updated" ? change.before : change.object);
      const now = change.type === "deleted" ? nowhere : judge(change.object);
      const isThere = pods.some((pod) => isControlledBy(pod, daemonSet));
      // One that is new and has its pod already was counted before we came.
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
