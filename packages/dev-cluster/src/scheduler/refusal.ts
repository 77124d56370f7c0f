/** Why a pod does not fit a node, and the type of filter plugins. */
import type { ClusterView } from "./cluster-view.ts";
import type { LoadedNode } from "./node-load.ts";
import type { PlacedPod } from "./placed-pod.ts";

export interface Refusal {
  /** In kube-scheduler's words. */
  readonly reasons: readonly string[];
  /** Whether removing pods from the node would not help. */
  readonly isFinal: boolean;
}

/** Returns undefined when the pod fits. */
export type NodeFilter = (node: LoadedNode) => Refusal | undefined;

/** Prepares a plugin for one pod; undefined when it does not apply to that pod. */
export type FilterPlugin = (pod: PlacedPod, view: ClusterView) => NodeFilter | undefined;

/** A refusal that no removed pod can change. */
export const final = (reason: string): Refusal => ({ reasons: [reason], isFinal: true });

/** A refusal that lasts while the pods on the node stay. */
export const forNow = (reason: string): Refusal => ({ reasons: [reason], isFinal: false });
