/** Whether the pod fits the node's free resources, and how much would be left. */
import type { LoadedNode } from "../node-load.ts";
import type { PlacedPod } from "../placed-pod.ts";
import type { FilterPlugin } from "../refusal.ts";

/** A pod that does not fit even an empty node is refused for good. */
export const nodeResources: FilterPlugin =
  ({ request }) =>
  ({ load, allocatable }) => {
    const has = (resource: string): number => allocatable.get(resource) ?? 0;
    const lacking = [...request].filter(([resource, amount]) => amount > 0 && load.requested(resource) + amount > has(resource));
    const reasons = [
      ...(load.count + 1 > has("pods") ? ["Too many pods"] : []),
      ...lacking.map(([resource]) => `Insufficient ${resource}`),
    ];
    return reasons.length === 0 ? undefined : { reasons, isFinal: lacking.some(([resource, amount]) => amount > has(resource)) };
  };

/** Assumed requests of a container without any. */
const assumed: ReadonlyMap<string, number> = new Map([
  ["cpu", 100],
  ["memory", 200 * 1024 ** 2],
]);

/** Returns the share of each node that is left with the pod on it, from 0 to 100: the mean of CPU and memory. */
export function roomLeft({ request }: PlacedPod, nodes: readonly LoadedNode[]): readonly number[] {
  return nodes.map(({ load, allocatable }) => {
    const shares = [...assumed].map(([resource, least]) => {
      const all = allocatable.get(resource) ?? 0;
      return all === 0 ? 0 : Math.max(0, (all - load.requested(resource) - (request.get(resource) ?? least)) / all);
    });
    return Math.floor((shares.reduce((sum, share) => sum + share, 0) * 100) / shares.length);
  });
}
