/**
 * Which pods to remove, from their state and that of their nodes.
 *
 *     pods, nodes → surplus finished pods; terminating on an out-of-service node; terminating and never bound; on a node that is gone
 */
import type { Node } from "@drover/api/core/v1";
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isReadyNode } from "../node-lifecycle/zone-state.ts";
import { timeMs } from "../shared/object-time.ts";
import type { PodView } from "../shared/pod-state.ts";

/** Returns a node by name; undefined when the cache has none. */
export type NodeFinder = (name: string) => DeepReadonly<Node> | undefined;

/** Returns the finished pods beyond `max`: evicted ones first, then the oldest. */
export function surplusTerminated(pods: readonly PodView[], max: number): readonly PodView[] {
  const terminated = pods.filter(({ status }) => !unfinished.has(status?.phase ?? ""));
  return terminated.length <= max ? [] : terminated.toSorted(dispensableFirst).slice(0, terminated.length - max);
}

/** Returns terminating pods on nodes that are not ready and tainted out-of-service. */
export function terminatingOutOfService(pods: readonly PodView[], nodeOf: NodeFinder): readonly PodView[] {
  const isOut = (node: DeepReadonly<Node> | undefined): boolean =>
    node !== undefined && !isReadyNode(node) && node.spec?.taints?.some(({ key }) => key === outOfService) === true;
  return pods.filter((pod) => isTerminating(pod) && isOut(nodeOf(nodeNameOf(pod)))).toSorted(dispensableFirst);
}

/** Returns terminating pods without a node: no kubelet will ever finish them. */
export function terminatingUnscheduled(pods: readonly PodView[]): readonly PodView[] {
  return pods.filter((pod) => isTerminating(pod) && nodeNameOf(pod) === "");
}

/** Returns the nodes that pods are bound to and the cache lacks. */
export function missingNodes(pods: readonly PodView[], nodeOf: NodeFinder): ReadonlySet<string> {
  return new Set(pods.map(nodeNameOf).filter((name) => name !== "" && nodeOf(name) === undefined));
}

/** The node of a pod, or "". */
export const nodeNameOf = ({ spec }: PodView): string => spec?.nodeName ?? "";

const outOfService = "node.kubernetes.io/out-of-service";

/** An unknown or missing phase counts as finished; only these three do not. */
const unfinished: ReadonlySet<string> = new Set(["Pending", "Running", "Unknown"]);

const isTerminating = ({ metadata }: PodView): boolean => metadata.deletionTimestamp !== undefined;

const isEvicted = ({ status }: PodView): boolean => status?.phase === "Failed" && status.reason === "Evicted";

const createdAt = ({ metadata }: PodView): number => timeMs(metadata.creationTimestamp) ?? 0;

function dispensableFirst(a: PodView, b: PodView): number {
  return (
    Number(isEvicted(b)) - Number(isEvicted(a)) || createdAt(a) - createdAt(b) || compareBytes(a.metadata.name ?? "", b.metadata.name ?? "")
  );
}
