/** "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s)." */
export function unschedulableMessage(reasonsOfNodes: readonly (readonly string[])[]): string {
  if (reasonsOfNodes.length === 0) return "no nodes available to schedule pods";
  const counts = new Map<string, number>();
  for (const reason of reasonsOfNodes.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).toSorted();
  return `0/${reasonsOfNodes.length} nodes are available: ${parts.join(", ")}.`;
}
