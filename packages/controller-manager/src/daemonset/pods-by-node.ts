/** The pods of a DaemonSet by the node they are bound to or were made for. */
import { compareBytes } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { targetNodeName } from "./daemon-pod.ts";

export type PodsByNode = ReadonlyMap<string, readonly PodView[]>;

/** Groups pods by node: bound pods first, then the oldest. Leaves out pods that have finished and are being deleted. */
export function podsByNode(pods: readonly PodView[]): PodsByNode {
  const found = new Map<string, readonly PodView[]>();
  for (const pod of pods) {
    const node = targetNodeName(pod);
    if (node === undefined || (isPodFinished(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
    found.set(node, [...(found.get(node) ?? []), pod]);
  }
  // Most nodes have one pod, and parsing timestamps is slow.
  for (const [node, there] of found) if (there.length > 1) found.set(node, there.toSorted(foremostFirst));
  return found;
}

function foremostFirst(a: PodView, b: PodView): number {
  return (
    Number(isPlaced(b)) - Number(isPlaced(a)) || createdAt(a) - createdAt(b) || compareBytes(a.metadata.name ?? "", b.metadata.name ?? "")
  );
}

const isPlaced = ({ spec }: PodView): boolean => (spec?.nodeName ?? "") !== "";

const createdAt = ({ metadata }: PodView): number => timeMs(metadata.creationTimestamp) ?? 0;
