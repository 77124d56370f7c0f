/**
 * Brings the number of pods to the desired one by creating or deleting at most one burst.
 *
 *     active pods, spec.replicas → expectations → slow start of creates, or deletes all at once → the first error
 */
import { ReplicaSet } from "@drover/api/apps/v1";
import { isNotFound, newControllerRef, objectKeyOf } from "@drover/machinery";
import { slowStart } from "@drover/patterns";
import type { Expectations } from "@drover/patterns";
import { createPod, deletePod, isNamespaceTerminating, isRefusal } from "../shared/pod-control.ts";
import type { PodControl } from "../shared/pod-control.ts";
import type { PodView } from "../shared/pod-state.ts";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { podsToDelete } from "./pods-to-delete.ts";

export interface ManageReplicasOptions {
  readonly control: PodControl;
  readonly expectations: Expectations;
  /** Maximum pods to create or delete; the rest waits until these have been observed. */
  readonly burst: number;
  /** Returns pods of sibling ReplicaSets; called only when pods are to be deleted. */
  readonly related: () => readonly PodView[];
  readonly now: number;
}

/** The first error; absent on success. */
export interface ManageOutcome {
  readonly error?: unknown;
}

/**
 * Creates or deletes pods. Guarantees: expectations are set before the first request and lowered for each request that failed or
 * was not sent. A deletion with an unknown outcome is repeated before another pod is chosen. Never rejects for a refusal by the server.
 */
export async function manageReplicas(
  replicaSet: ReplicaSetView,
  active: readonly PodView[],
  options: ManageReplicasOptions,
): Promise<ManageOutcome> {
  const surplus = active.length - replicasOf(replicaSet);
  if (surplus < 0) return await createPods(replicaSet, Math.min(-surplus, options.burst), options);
  if (surplus > 0) return await deletePods(replicaSet, chosen(replicaSet, active, Math.min(surplus, options.burst), options), options);
  return {};
}

/** Pods that may be deleted already come first: to delete another one instead could leave too few. */
function chosen(
  replicaSet: ReplicaSetView,
  active: readonly PodView[],
  count: number,
  { expectations, related, now }: ManageReplicasOptions,
): readonly PodView[] {
  const owner = objectKeyOf(replicaSet);
  const isDoubted = (pod: PodView): boolean => expectations.isDeletionDoubted(owner, objectKeyOf(pod));
  const doubted = active.filter(isDoubted);
  if (doubted.length === 0) return podsToDelete(active, related(), count, now);
  const sure = active.filter((pod) => !isDoubted(pod));
  return [...doubted, ...podsToDelete(sure, related(), Math.max(0, count - doubted.length), now)].slice(0, count);
}

async function createPods(
  replicaSet: ReplicaSetView,
  count: number,
  { expectations, control }: ManageReplicasOptions,
): Promise<ManageOutcome> {
  const key = objectKeyOf(replicaSet);
  const controllerRef = newControllerRef(replicaSet, ReplicaSet);
  expectations.expectCreations(key, count);
  const { successes, ...outcome } = await slowStart(count, async () => {
    try {
      await createPod(replicaSet.spec?.template ?? {}, replicaSet, controllerRef, control);
    } catch (error) {
      // Every further create would fail too, and the ReplicaSet is about to be deleted.
      if (!isNamespaceTerminating(error)) throw error;
    }
  });
  for (let skipped = count - successes; skipped > 0; skipped--) expectations.creationObserved(key);
  return outcome;
}

async function deletePods(
  replicaSet: ReplicaSetView,
  pods: readonly PodView[],
  { expectations, control }: ManageReplicasOptions,
): Promise<ManageOutcome> {
  const key = objectKeyOf(replicaSet);
  expectations.expectDeletions(key, pods.map(objectKeyOf));
  const results = await Promise.all(
    pods.map(async (pod): Promise<ManageOutcome> => {
      try {
        await deletePod(pod.metadata.name ?? "", replicaSet, control);
        return {};
      } catch (error) {
        if (!isRefusal(error)) expectations.deletionDoubted(key, objectKeyOf(pod));
        else expectations.deletionObserved(key, objectKeyOf(pod));
        return isNotFound(error) ? {} : { error };
      }
    }),
  );
  return results.find((result) => "error" in result) ?? {};
}
