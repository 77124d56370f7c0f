/** The pod deletion cost: an annotation that users may set on pods. */
import { getOwn } from "@drover/machinery";
import type { PodView } from "./pod-state.ts";

const annotation = "controller.kubernetes.io/pod-deletion-cost";

/** Returns the cost; pods with a lower one are deleted first. 0 when it is missing or not a canonical int32 ("+1" and "01" are not). */
export function podDeletionCost({ metadata: { annotations = {} } }: PodView): number {
  const text = getOwn(annotations, annotation);
  if (text === undefined || !/^(?:0|-?[1-9][0-9]{0,9})$/.test(text)) return 0;
  const cost = Number(text);
  return (cost | 0) === cost ? cost : 0;
}
