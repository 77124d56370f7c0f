/**
 * Which pods nobody will miss, by what is known of them and their nodes.
 *
 *     pods, nodes → too many that have ended; going from a node that is out of service; going before they had a node; on a node that is gone
 */
import type { Node } from "@drover/api/core/v1";
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isReadyNode } from "../node-lifecycle/zone-state.ts";
import { timeMs } from "../shared/object-time.ts";
import type { PodView } from "../shared/pod-state.ts";

/** A node by its name; undefined when the cache has none. */
export type NodeFinder = (name: string) => DeepReadonly<Node> | undefined;

/** So many pods as there are beyond `max` that have ended: evicted ones first, then the oldest. */
export function surplusTerminated(pods: readonly PodView[], max: number): readonly PodView[] {
  const terminated = pods.filter(({ status }) => !unfinished.has(status?.phase ?? ""));
  return terminated.length <= max ? [] : terminated.toSorted(dispensableFirst).slice(0, terminated.length - max);
}

/** Pods that are to go from a node of which somebody has said that it will not come back, and which is silent indeed. */
export function terminatingOutOfService(pods: readonly PodView[], nodeOf: NodeFinder): readonly PodView[] {
  const isOut = (node: DeepReadonly<Node> | undefined): boolean =>
    node !== undefined && !isReadyNode(node) && node.spec?.taints?.some(({ key }) => key === outOfService) === true;
  return pods.filter((pod) => isTerminating(pod) && isOut(nodeOf(nodeNameOf(pod)))).toSorted(dispensableFirst);
}

/** Pods that are to go and never came to a node: no kubelet will say that they have ended. */
export function terminatingUnscheduled(pods: readonly PodView[]): readonly PodView[] {
  return pods.filter((pod) => isTerminating(pod) && nodeNameOf(pod) === "");
}

/** The names of nodes that pods are on and the cache does not have. */
export function missingNodes(pods: readonly PodView[], nodeOf: NodeFinder): ReadonlySet<string> {
  return new Set(pods.map(nodeNameOf).filter((name) => name !== "" && nodeOf(name) === undefined));
}

/** The node a pod is on, or "". */
export const nodeNameOf = ({ spec }: PodView): string => spec?.nodeName ?? "";

const outOfService = "node.kubernetes.io/out-of-service";

/** A phase that nobody knows, or none, is an end: only these three are not. */
const unfinished: ReadonlySet<string> = new Set(["Pending", "Running", "Unknown"]);

const isTerminating = ({ metadata }: PodView): boolean => metadata.deletionTimestamp !== undefined;

const isEvicted = ({ status }: PodView): boolean => status?.phase === "Failed" && status.reason === "Evicted";

const createdAt = ({ metadata }: PodView): number => timeMs(metadata.creationTimestamp) ?? 0;

function dispensableFirst(a: PodView, b: PodView): number {
  return (
    Number(isEvicted(b)) - Number(isEvicted(a)) || createdAt(a) - createdAt(b) || compareBytes(a.metadata.name ?? "", b.metadata.name ?? "")
  );
}
