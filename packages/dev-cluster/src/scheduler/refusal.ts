/** Why a pod cannot be on a node, and what a rule of the scheduler looks like. */
import type { ClusterView } from "./cluster-view.ts";
import type { LoadedNode } from "./node-load.ts";
import type { PlacedPod } from "./placed-pod.ts";

export interface Refusal {
  /** In kube-scheduler's words. */
  readonly reasons: readonly string[];
  /** Whether it would stay so if pods left the node. */
  readonly isFinal: boolean;
}

/** Undefined when the pod can be there. */
export type NodeFilter = (node: LoadedNode) => Refusal | undefined;

/** One rule, made ready for one pod; undefined when it has nothing to say about that pod. */
export type FilterPlugin = (pod: PlacedPod, view: ClusterView) => NodeFilter | undefined;

/** For good: no pod that leaves can change it. */
export const final = (reason: string): Refusal => ({ reasons: [reason], isFinal: true });

/** For as long as the pods stay where they are. */
export const forNow = (reason: string): Refusal => ({ reasons: [reason], isFinal: false });
