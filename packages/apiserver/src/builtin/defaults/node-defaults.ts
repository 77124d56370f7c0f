/** Defaults of Node: allocatable is the capacity. */
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

/** `podCIDR` is the first of `podCIDRs`; if they differ, the writer knows only the single field, which wins. */
function setPodCidrDefaults(spec: NodeSpec): void {
  const first = elements(spec.podCIDRs)[0];
  if (spec.podCIDR && spec.podCIDR !== first) spec.podCIDRs = [spec.podCIDR];
  else if (first) spec.podCIDR = first;
}
