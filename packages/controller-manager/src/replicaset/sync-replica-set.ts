/**
 * One sync of one ReplicaSet: claims its pods, adjusts their number, and writes its status.
 *
 *     ownedChildren → claimChildren → manageReplicas → replicaSetStatus → writeReplicaSetStatus → when to sync again
 */
import { ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { after, done, retry, stop } from "@drover/controller";
import type { EventRecorder, ReconcileContext, Result } from "@drover/controller";
import { controllerOf, isControlledBy, SelectorError, selectorFromLabelSelector } from "@drover/machinery";
import type { Clock, Selector } from "@drover/machinery";
import { claimChildren, ownedChildren, ownerIndex } from "@drover/patterns";
import type { Expectations } from "@drover/patterns";
import { isPodActive, isPodTerminating, nextAvailabilityMs } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { manageReplicas } from "./manage-replicas.ts";
import type { ManageOutcome } from "./manage-replicas.ts";
import { replicaSetStatus } from "./replica-set-status.ts";
import { writeReplicaSetStatus } from "./write-replica-set-status.ts";

export interface ReplicaSetSyncOptions {
  readonly replicaSets: Pick<InformerView<ReplicaSet>, "get" | "byIndex">;
  readonly pods: Pick<InformerView<Pod>, "byIndex" | "list" | "listIndexValues">;
  readonly expectations: Expectations;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** Maximum pods that one sync creates or deletes. */
  readonly burst: number;
  /** Milliseconds until expectations expire, after which the key is synced again. */
  readonly expectationsMs: number;
}

/**
 * Syncs a ReplicaSet. Guarantees: writes the status even when pods could not be created or deleted; one that is being deleted
 * neither creates, deletes nor adopts.
 */
export async function syncReplicaSet(
  { key, client, signal }: Pick<ReconcileContext, "key" | "client" | "signal">,
  options: ReplicaSetSyncOptions,
): Promise<Result> {
  const { replicaSets, pods, expectations, clock } = options;
  const replicaSet = replicaSets.get(key);
  if (replicaSet === undefined) {
    expectations.forget(key);
    return done;
  }
  // Read before the pods are listed: what is observed later is not in the list.
  const isSatisfied = expectations.satisfied(key);
  const selector = selectorOf(replicaSet);
  if (typeof selector === "string") return stop(selector);
  const all = ownedChildren<Pod>(pods, replicaSet, { orphans: true });
  const active = await claimChildren(all.filter(isPodActive), {
    owner: replicaSet,
    ownerKind: ReplicaSet,
    childKind: Pod,
    selector,
    client,
    signal,
  });
  const terminating = all.filter(
    (pod) => isPodTerminating(pod) && isControlledBy(pod, replicaSet) && selector.matches(pod.metadata.labels),
  );
  const mayManage = isSatisfied && replicaSet.metadata.deletionTimestamp === undefined;
  const outcome = mayManage ? await manage(replicaSet, active, { client, signal }, options) : {};
  const now = clock.now();
  const { status } = await writeReplicaSetStatus(client, replicaSet, replicaSetStatus(replicaSet, { active, terminating, outcome, now }));
  if ("error" in outcome) return retry(outcome.error);
  const waits = [...(isSatisfied ? [] : [options.expectationsMs + 1]), ...availabilityWait(replicaSet, active, status, now)];
  return waits.length === 0 ? done : after(Math.min(...waits));
}

/** Returns the ReplicaSet's selector, or why it is invalid. */
function selectorOf({ metadata: { namespace, name }, spec }: ReplicaSetView): Selector | string {
  try {
    return selectorFromLabelSelector(spec?.selector);
  } catch (error) {
    if (error instanceof SelectorError) return `error converting pod selector to selector for rs ${namespace}/${name}: ${error.message}`;
    throw error;
  }
}

async function manage(
  replicaSet: ReplicaSetView,
  active: readonly PodView[],
  run: Pick<ReconcileContext, "client" | "signal">,
  options: ReplicaSetSyncOptions,
): Promise<ManageOutcome> {
  const { expectations, events, burst, clock } = options;
  return await manageReplicas(replicaSet, active, {
    control: { ...run, events },
    expectations,
    burst,
    now: clock.now(),
    related: () => relatedPods(replicaSet, options),
  });
}

/** Returns pods that match this ReplicaSet or a sibling of the same owner; none without an owner. */
export function relatedPods(
  replicaSet: ReplicaSetView,
  { replicaSets, pods }: Pick<ReplicaSetSyncOptions, "replicaSets" | "pods">,
): readonly PodView[] {
  const owner = controllerOf(replicaSet);
  if (owner === undefined) return [];
  const siblings = replicaSets
    .byIndex(ownerIndex, owner.uid)
    .filter(({ metadata }) => metadata.namespace === replicaSet.metadata.namespace);
  const found = siblings.flatMap((sibling) => {
    const selector = selectorOf(sibling);
    return typeof selector === "string" ? [] : pods.list({ namespace: sibling.metadata.namespace ?? "", labelSelector: selector });
  });
  return [...new Set(found)].filter(isPodActive);
}

function availabilityWait(
  { spec }: ReplicaSetView,
  active: readonly PodView[],
  status: ReplicaSetView["status"],
  now: number,
): readonly number[] {
  const { minReadySeconds = 0 } = spec ?? {};
  if (minReadySeconds === 0 || (status?.readyReplicas ?? 0) === (status?.availableReplicas ?? 0)) return [];
  return [nextAvailabilityMs(active, minReadySeconds, now) ?? minReadySeconds * 1000];
}
