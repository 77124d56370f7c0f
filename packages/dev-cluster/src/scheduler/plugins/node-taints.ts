/** Taints: NoSchedule and NoExecute reject a pod, PreferNoSchedule lowers the score. */
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

/** Whether a taint of the node rejects the pod. */
export function isKept({ spec }: PlacedPod["pod"], node: LoadedNode["node"]): boolean {
  return (node.spec?.taints ?? []).some((taint) => taint.effect !== "PreferNoSchedule" && !tolerates(spec?.tolerations, taint));
}

/** Returns how many untolerated PreferNoSchedule taints each node has. */
export function dislikedTaints({ pod }: PlacedPod, nodes: readonly LoadedNode[]): readonly number[] {
  return nodes.map(
    ({ node }) =>
      (node.spec?.taints ?? []).filter((taint) => taint.effect === "PreferNoSchedule" && !tolerates(pod.spec?.tolerations, taint)).length,
  );
}
