/**
 * The order in which surplus pods are deleted: the least useful first.
 *
 *     pods → toSorted(comparePods), or with the number of siblings on each node: rankedPodOrder → from the front
 */
import { compareBytes } from "@drover/machinery";
import { timeMs } from "./object-time.ts";
import { podDeletionCost } from "./pod-deletion-cost.ts";
import { isPodReady, podReadySince } from "./pod-state.ts";
import type { PodView } from "./pod-state.ts";

/** Below zero when `a` is deleted before `b`. */
export type PodOrder = (a: PodView, b: PodView) => number;

/** How to order pods that are otherwise alike. */
export interface RankedPodOrderOptions {
  /** Returns how many related pods share the pod's node: more go first. */
  readonly rankOf: (pod: PodView) => number;
  /**
   * With a time in milliseconds since 1970, ages are compared by order of magnitude, so that the choice is partly random; undefined
   * compares them exactly.
   */
  readonly now: number | undefined;
}

/** Deleted first: unbound, pending, not ready, ready for a shorter time, restarted more often, younger. */
export const comparePods: PodOrder = inTurn(
  unassignedFirst,
  earlierPhaseFirst,
  unreadyFirst,
  (a, b) => recentFirst(podReadySince(a), podReadySince(b)),
  restartedFirst,
  (a, b) => recentFirst(createdAt(a), createdAt(b)),
);

/** The same, with deletion cost and then the number of related pods on the node between readiness and its time. */
export function rankedPodOrder({ rankOf, now }: RankedPodOrderOptions): PodOrder {
  const byTime =
    (timeOf: (pod: PodView) => number | undefined): PodOrder =>
    (a, b) => {
      const [first, second] = [timeOf(a), timeOf(b)];
      if (now === undefined || first === undefined || second === undefined || first === second) return recentFirst(first, second);
      return magnitude(now - first) - magnitude(now - second) || compareBytes(a.metadata.uid ?? "", b.metadata.uid ?? "");
    };
  return inTurn(
    unassignedFirst,
    earlierPhaseFirst,
    unreadyFirst,
    (a, b) => podDeletionCost(a) - podDeletionCost(b),
    (a, b) => rankOf(b) - rankOf(a),
    byTime(podReadySince),
    restartedFirst,
    byTime(createdAt),
  );
}

function inTurn(...orders: readonly PodOrder[]): PodOrder {
  return (a, b) => {
    for (const order of orders) {
      const difference = order(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

function unassignedFirst(a: PodView, b: PodView): number {
  return Number(isAssigned(a)) - Number(isAssigned(b));
}

const isAssigned = ({ spec }: PodView): boolean => (spec?.nodeName ?? "") !== "";

const phases: ReadonlyMap<string, number> = new Map([
  ["Pending", 0],
  ["Unknown", 1],
  ["Running", 2],
]);

function earlierPhaseFirst(a: PodView, b: PodView): number {
  return phaseOf(a) - phaseOf(b);
}

const phaseOf = ({ status }: PodView): number => phases.get(status?.phase ?? "") ?? 0;

function unreadyFirst(a: PodView, b: PodView): number {
  return Number(isPodReady(a)) - Number(isPodReady(b));
}

/** An unset time comes before all others. */
function recentFirst(a: number | undefined, b: number | undefined): number {
  return a === b ? 0 : (b ?? Infinity) - (a ?? Infinity);
}

const createdAt = ({ metadata }: PodView): number | undefined => timeMs(metadata.creationTimestamp);

/** Exponent of the power of two below a duration in nanoseconds. */
const magnitude = (spanMs: number): number => (spanMs > 0 ? Math.trunc(Math.log2(spanMs * 1_000_000)) : -1);

function restartedFirst(a: PodView, b: PodView): number {
  return restarts(b) - restarts(a) || sidecarRestarts(b) - sidecarRestarts(a);
}

const restarts = ({ status }: PodView): number => Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));

/** Of init containers only sidecars count. */
function sidecarRestarts({ spec, status }: PodView): number {
  const sidecars = new Set((spec?.initContainers ?? []).flatMap(({ name, restartPolicy }) => (restartPolicy === "Always" ? [name] : [])));
  return Math.max(0, ...(status?.initContainerStatuses ?? []).map(({ name, restartCount }) => (sidecars.has(name) ? restartCount : 0)));
}
