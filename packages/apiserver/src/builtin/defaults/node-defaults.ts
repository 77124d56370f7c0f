/** Nodes: one that does not say what it gives away gives away all it has. */
import type { Node, NodeSpec } from "@drover/api/core/v1";
import { elements } from "./elements.ts";
import { setResourceListDefaults } from "./resource-list-defaults.ts";

export function setNodeDefaults(node: Node): void {
  if (node.spec !== undefined) setPodCidrDefaults(node.spec);
  const { status } = node;
  if (status === undefined) return;
  if (status.allocatable === undefined && status.capacity !== undefined) status.allocatable = { ...status.capacity };
  setResourceListDefaults(status.capacity);
  setResourceListDefaults(status.allocatable);
}

/** `podCIDR` is the first of `podCIDRs`; where they differ it comes from one who only knows the single one, and wins. */
function setPodCidrDefaults(spec: NodeSpec): void {
  const first = elements(spec.podCIDRs)[0];
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  else if (first) spec.podCIDR = first;
}
