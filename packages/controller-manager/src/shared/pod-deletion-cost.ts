/** How much a pod's owner would rather keep it: an annotation that whoever runs the pods may set. */
import { getOwn } from "@drover/machinery";
import type { PodView } from "./pod-state.ts";

const annotation = "controller.kubernetes.io/pod-deletion-cost";

/**
 * The cost; pods with a lower one are deleted first. 0 where there is none, and where it is no 32-bit number written
 * plainly ("+1" and "01" are not).
 */
export function podDeletionCost({ metadata: { annotations = {} } }: PodView): number {
  const text = getOwn(annotations, annotation);
  if (text === undefined || !/^(?:0|-?[1-9][0-9]{0,9})$/.test(text)) return 0;
  const cost = Number(text);
  return (cost | 0) === cost ? cost : 0;
}
