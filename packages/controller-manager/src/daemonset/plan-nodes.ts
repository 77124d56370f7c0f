/**
 * What all nodes together need from a DaemonSet now, apart from updates.
 *
 *     nodes, pods by node → planNode each → FailedPodBackoff, events → PodChanges, and when to sync again
 */
import type { EventRecorder } from "@drover/controller";
import type { PodView } from "../shared/pod-state.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import type { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { planNode } from "./node-plan.ts";
import type { PodChanges } from "./pod-changes.ts";
import type { UpdateFacts } from "./rolling-update.ts";
import { allowsSurge } from "./update-budget.ts";

export interface PlanNodesOptions {
  readonly events: EventRecorder;
  readonly backoff: FailedPodBackoff;
}

export interface NodesPlan extends PodChanges {
  /** Milliseconds until each failed pod in backoff may be deleted. */
  readonly waits: readonly number[];
}

/**
 * Plans all nodes and records events for finished pods to delete. Also deletes unbound pods made for nodes that are gone, which no
 * other controller deletes.
 */
export function planNodes(
  daemonSet: DaemonSetView,
  { nodes, judge, podsByNode, hash, now }: UpdateFacts,
  { events, backoff }: PlanNodesOptions,
): NodesPlan {
  const plan = { nodes: [] as string[], deletions: [] as PodView[], waits: [] as number[] };
  const tell = (type: "Normal" | "Warning", reason: string, note: string, pod: PodView): void => {
    events.eventf({ regarding: daemonSet, related: pod, type, reason, action: "DeletePod", note });
    plan.deletions.push(pod);
  };
  const planning = { hash, now, mayOverlap: allowsSurge(daemonSet) };
  for (const node of nodes) {
    const { name = "" } = node.metadata;
    const { isNeeded, failed, succeeded, surplus } = planNode(daemonSet, judge(node), podsByNode.get(name) ?? [], planning);
    if (isNeeded) plan.nodes.push(name);
    for (const pod of failed) {
      const waitMs = backoff.take(`${daemonSet.metadata.uid}/${daemonSet.status?.observedGeneration ?? 0}/${name}`);
      if (waitMs > 0) plan.waits.push(waitMs);
      else tell("Warning", "FailedDaemonPod", `Found failed daemon pod ${nameOf(pod)} on node ${name}, will try to kill it`, pod);
    }
    for (const pod of succeeded)
      tell("Normal", "SucceededDaemonPod", `Found succeeded daemon pod ${nameOf(pod)} on node ${name}, will try to delete it`, pod);
    plan.deletions.push(...surplus);
  }
  plan.deletions.push(...strays(new Set(nodes.map(({ metadata }) => metadata.name ?? "")), podsByNode));
  return plan;
}

const nameOf = ({ metadata: { namespace, name } }: PodView): string => `${namespace}/${name}`;

function strays(known: ReadonlySet<string>, podsByNode: UpdateFacts["podsByNode"]): readonly PodView[] {
  const lost = [...podsByNode].filter(([node]) => !known.has(node)).flatMap(([, pods]) => pods);
  return lost.filter(({ metadata, spec }) => (spec?.nodeName ?? "") === "" && metadata.deletionTimestamp === undefined);
}
