/** Why a pod is unschedulable, in kube-scheduler's words. */

/** "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s)." */
export function unschedulableMessage(reasonsOfNodes: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasonsOfNodes.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return `${noneOf(reasonsOfNodes.length)} ${parts.join(", ")}.`;
}

/**
 * The same for a reason that no node can change: `0/3 nodes are available: persistentvolumeclaim "data" not found. not found`. The
 * last two words are kube-scheduler's: it then looks up device claims that were never prepared.
 */
export const hopelessMessage = (nodes: number, reason: string): string => `${noneOf(nodes)} ${reason}. not found`;

const noneOf = (nodes: number): string => `0/${nodes} nodes are available:`;
