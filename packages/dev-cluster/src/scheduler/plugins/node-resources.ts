/** Whether there is room, and how much is left. */
import type { LoadedNode } from "../node-load.ts";
import type { PlacedPod } from "../placed-pod.ts";
import type { FilterPlugin } from "../refusal.ts";

/** What a pod does not fit into even when it is alone is refused for good. */
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

/** A container that asks for nothing takes something all the same. */
const assumed: ReadonlyMap<string, number> = new Map([
  ["cpu", 100],
  ["memory", 200 * 1024 ** 2],
]);

/** How much of each node is left with the pod on it, from 0 to 100: the mean over cpu and memory. */
export function roomLeft({ request }: PlacedPod, nodes: readonly LoadedNode[]): readonly number[] {
  return nodes.map(({ load, allocatable }) => {
    const shares = [...assumed].map(([resource, least]) => {
      const all = allocatable.get(resource) ?? 0;
      return all === 0 ? 0 : Math.max(0, (all - load.requested(resource) - (request.get(resource) ?? least)) / all);
    });
    return Math.floor((shares.reduce((sum, share) => sum + share, 0) * 100) / shares.length);
  });
}
