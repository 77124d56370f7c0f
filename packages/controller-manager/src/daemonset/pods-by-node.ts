/** The pods of a DaemonSet by the node they are on, or were made for. */
import { compareBytes } from "@drover/machinery";
import { timeMs } from "../shared/object-time.ts";
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { targetNodeName } from "./daemon-pod.ts";

export type PodsByNode = ReadonlyMap<string, readonly PodView[]>;

/**
 * Each node's pods with the foremost first: those that have come to their node, then the oldest. Pods that have ended
 * and are being deleted are nobody's concern any more.
 */
export function podsByNode(pods: readonly PodView[]): PodsByNode {
  const found = new Map<string, readonly PodView[]>();
  for (const pod of pods) {
    const node = targetNodeName(pod);
    if (node === undefined || (isPodFinished(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
    found.set(node, [...(found.get(node) ?? []), pod]);
  }
  // Most nodes have one, and times take a while to read.
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
