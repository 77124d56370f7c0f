/**
 * What one sync of a StatefulSet does, decided from the caches before anything is written.
 *
 *     set, revisions, pods → planStatefulSet → steps for replicas, claims of the surplus, surplus, outdated; in this order
 */
import { budget } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import { replicasOf } from "../shared/replica-set-order.ts";
import { isUnavailable } from "./member-state.ts";
import { outdatedToRemove } from "./outdated-pods.ts";
import { ordinalOf, podName } from "./pod-identity.ts";
import { planReplicas } from "./replica-steps.ts";
import type { ReplicaStep } from "./replica-steps.ts";
import { SetMembers } from "./set-members.ts";
import { newStatefulPod } from "./stateful-pod.ts";
import type { SetRevisions } from "./stateful-pod.ts";
import { isInRange, isOrdered, isRollingUpdate, minReadySecondsOf, partitionOf, startOrdinal } from "./stateful-set-view.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";
import { surplusToRemove } from "./surplus-pods.ts";

const creations = budget({
  name: "controller-manager/stateful-set-creations",
  limit: 500,
  unit: "items",
  atLimit: "One sync of a parallel StatefulSet creates no more pods; the next sync, which their creation causes, continues.",
  uncounted: "Normal operation: the next sync goes on where this one ended.",
});

export interface StatefulSetPlan {
  /** Every pod of the set with an ordinal, surplus pods last. */
  readonly pods: readonly PodView[];
  readonly steps: readonly ReplicaStep[];
  /** Surplus pods whose claims may be deleted with them. */
  readonly condemned: readonly PodView[];
  /** Surplus pods to delete now. */
  readonly surplus: readonly PodView[];
  /** Pods to delete now so that they are created again at the update revision. */
  readonly outdated: readonly PodView[];
}

/**
 * Plans a sync in O(what exists + what may be created now), however many replicas the set wants. A set that is being deleted gets no
 * steps: the garbage collector deletes or orphans its pods.
 */
export function planStatefulSet(set: StatefulSetView, revisions: SetRevisions, pods: readonly PodView[], now: number): StatefulSetPlan {
  const { existing, condemned } = split(set, pods);
  const idle: StatefulSetPlan = { pods: [...existing.values(), ...condemned], steps: [], condemned: [], surplus: [], outdated: [] };
  if (set.metadata.deletionTimestamp !== undefined) return idle;
  const start = startOrdinal(set);
  const members = new SetMembers({ start, count: replicasOf(set), byOrdinal: existing });
  // With ordered management, everything waits for the first missing pod.
  const creationsMax = isOrdered(set) ? 1 : creations.limit;
  const replicas = members.withFirstMissing(creationsMax, (ordinal) => newStatefulPod(set, revisions, ordinal));
  const options = { isOrdered: isOrdered(set), minReadySeconds: minReadySecondsOf(set), now };
  const { steps, isBlocked } = planReplicas(replicas, options);
  if (isBlocked) return { ...idle, steps };
  const firstUnavailable = [...replicas, ...condemned.toReversed()].find((pod) => isUnavailable(pod, options));
  const surplus = surplusToRemove(condemned, { ...options, firstUnavailable });
  const mayUpdate = isRollingUpdate(set) && (condemned.length === 0 || !options.isOrdered);
  const { maxUnavailable } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  const outdated = mayUpdate
    ? outdatedToRemove(members, { ...options, update: revisions.update.metadata.name ?? "", partition: partitionOf(set), maxUnavailable })
    : [];
  return { ...idle, steps, condemned, surplus, outdated };
}

/**
 * Splits replicas by ordinal from the surplus, highest ordinal first. Of two pods with one ordinal (`web-1`, `web-01`) the one with
 * the exact name counts.
 */
function split(
  set: StatefulSetView,
  pods: readonly PodView[],
): { readonly existing: ReadonlyMap<number, PodView>; readonly condemned: readonly PodView[] } {
  const existing = new Map<number, PodView>();
  const condemned: { readonly ordinal: number; readonly pod: PodView }[] = [];
  for (const pod of pods) {
    const ordinal = ordinalOf(pod);
    if (ordinal === undefined) continue;
    if (!isInRange(set, ordinal)) condemned.push({ ordinal, pod });
    else if (!existing.has(ordinal) || pod.metadata.name === podName(set, ordinal)) existing.set(ordinal, pod);
  }
  return { existing, condemned: condemned.toSorted((a, b) => b.ordinal - a.ordinal).map(({ pod }) => pod) };
}
