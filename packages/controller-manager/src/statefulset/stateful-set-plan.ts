/**
 * What one look at a StatefulSet is to do, decided from what the caches show, before anything is done.
 *
 *     set, revisions, pods → planStatefulSet → steps for replicas, claims of the surplus, surplus, outdated; in this order
 */
import type { PodView } from "../shared/pod-state.ts";
import { replicasOf } from "../shared/replica-set-order.ts";
import { isUnavailable } from "./member-state.ts";
import { outdatedToRemove } from "./outdated-pods.ts";
import { ordinalOf, podName } from "./pod-identity.ts";
import { planReplicas } from "./replica-steps.ts";
import type { ReplicaStep } from "./replica-steps.ts";
import { newStatefulPod } from "./stateful-pod.ts";
import type { SetRevisions } from "./stateful-pod.ts";
import { isInRange, isOrdered, isRollingUpdate, minReadySecondsOf, partitionOf, startOrdinal } from "./stateful-set-view.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";
import { surplusToRemove } from "./surplus-pods.ts";

export interface StatefulSetPlan {
  /** Every pod of the set that has a number, the surplus last. */
  readonly pods: readonly PodView[];
  readonly steps: readonly ReplicaStep[];
  /** Surplus pods whose claims may go with them. */
  readonly condemned: readonly PodView[];
  /** Surplus pods that go now. */
  readonly surplus: readonly PodView[];
  /** Pods that go now to come back at the update revision. */
  readonly outdated: readonly PodView[];
}

/** A set that is being deleted gets nothing: its pods go with it, or stay as they are. */
export function planStatefulSet(set: StatefulSetView, revisions: SetRevisions, pods: readonly PodView[], now: number): StatefulSetPlan {
  const { existing, condemned } = split(set, pods);
  const idle: StatefulSetPlan = { pods: [...existing.values(), ...condemned], steps: [], condemned: [], surplus: [], outdated: [] };
  if (set.metadata.deletionTimestamp !== undefined) return idle;
  const start = startOrdinal(set);
  const replicas = Array.from(
    { length: replicasOf(set) },
    (_, index) => existing.get(start + index) ?? newStatefulPod(set, revisions, start + index),
  );
  const options = { isOrdered: isOrdered(set), minReadySeconds: minReadySecondsOf(set), now };
  const { steps, isBlocked } = planReplicas(replicas, options);
  if (isBlocked) return { ...idle, steps };
  const firstUnavailable = [...replicas, ...condemned.toReversed()].find((pod) => isUnavailable(pod, options));
  const surplus = surplusToRemove(condemned, { ...options, firstUnavailable });
  const mayUpdate = isRollingUpdate(set) && (condemned.length === 0 || !options.isOrdered);
  const { maxUnavailable } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  const outdated = mayUpdate
    ? outdatedToRemove(replicas, { ...options, update: revisions.update.metadata.name ?? "", partition: partitionOf(set), maxUnavailable })
    : [];
  return { ...idle, steps, condemned, surplus, outdated };
}

/**
 * Replicas by their number, and the surplus, highest number first. Of two pods with one number (`web-1`, `web-01`) the
 * one with the right name counts.
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
