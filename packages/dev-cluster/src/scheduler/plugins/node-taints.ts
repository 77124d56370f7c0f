/** Taints: those that keep a pod away, and those that only speak against a node. */
import { tolerates } from "@drover/controller-manager";
import type { LoadedNode } from "../node-load.ts";
import type { PlacedPod } from "../placed-pod.ts";
import { final } from "../refusal.ts";
import type { FilterPlugin } from "../refusal.ts";

const tainted = final("node(s) had untolerated taint(s)");

export const nodeTaints: FilterPlugin =
  ({ pod }) =>
  ({ node }) =>
    isKept(pod, node) ? tainted : undefined;

/** Whether a taint of the node keeps the pod away. */
export function isKept({ spec }: PlacedPod["pod"], node: LoadedNode["node"]): boolean {
  return (node.spec?.taints ?? []).some((taint) => taint.effect !== "PreferNoSchedule" && !tolerates(spec?.tolerations, taint));
}

/** How many taints of each node speak against it. */
export function dislikedTaints({ pod }: PlacedPod, nodes: readonly LoadedNode[]): readonly number[] {
  return nodes.map(
    ({ node }) =>
      (node.spec?.taints ?? []).filter((taint) => taint.effect === "PreferNoSchedule" && !tolerates(pod.spec?.tolerations, taint)).length,
  );
}
