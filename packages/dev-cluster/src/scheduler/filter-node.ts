/** Why a pod cannot be on a node, in kube-scheduler's words; the first rule that says no tells. */
import type { Pod } from "@drover/api/core/v1";
import { tolerates, unschedulableTaint } from "@drover/controller-manager";
import type { DeepReadonly } from "@drover/machinery";
import { portsCollide } from "./host-ports.ts";
import type { LoadedNode, PlacedPod } from "./node-load.ts";
import { selectsNode } from "./node-selection.ts";

/** Nothing when it can be there. */
export function filterNode(pod: DeepReadonly<Pod>, placed: PlacedPod, { node, load, allocatable }: LoadedNode): readonly string[] {
  const { tolerations, nodeName = "" } = pod.spec ?? {};
  if (node.spec?.unschedulable === true && !tolerates(tolerations, unschedulableTaint)) return ["node(s) were unschedulable"];
  if (nodeName !== "" && nodeName !== node.metadata.name) return ["node(s) didn't match the requested node name"];
  const isKept = (node.spec?.taints ?? []).some((taint) => taint.effect !== "PreferNoSchedule" && !tolerates(tolerations, taint));
  if (isKept) return ["node(s) had untolerated taint(s)"];
  if (!selectsNode(pod, node)) return ["node(s) didn't match Pod's node affinity/selector"];
  if (placed.ports.length > 0 && [...load.pods].some(({ ports }) => portsCollide(placed.ports, ports))) return ["node(s) didn't have free ports for the requested pod ports"];
  const lacking = [...placed.request].filter(([resource, amount]) => amount > 0 && load.requested(resource) + amount > (allocatable.get(resource) ?? 0));
  return [...(load.count + 1 > (allocatable.get("pods") ?? 0) ? ["Too many pods"] : []), ...lacking.map(([resource]) => `Insufficient ${resource}`)];
}
