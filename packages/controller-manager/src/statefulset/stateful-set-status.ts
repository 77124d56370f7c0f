/**
 * The status of a StatefulSet: how many pods exist, are ready and available, and the progress of its update.
 *
 *     pods, revisions → statefulSetStatus → isStatusNews? → writeStatefulSetStatus
 */
import { StatefulSet } from "@drover/api/apps/v1";
import { retryOnConflict } from "@drover/client";
import type { Client } from "@drover/client";
import { definedOnly } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { isPodAvailable } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { replicasOf } from "../shared/replica-set-order.ts";
import { isCreated, isGoing, isRunningAndReady } from "./member-state.ts";
import { podRevision } from "./pod-identity.ts";
import type { SetRevisions } from "./stateful-pod.ts";
import { isRollingUpdate, minReadySecondsOf } from "./stateful-set-view.ts";
import type { StatefulSetStatusView, StatefulSetView } from "./stateful-set-view.ts";

/** Input of a status. */
export interface StatefulSetFacts {
  readonly pods: readonly PodView[];
  readonly revisions: SetRevisions;
  readonly collisionCount: number;
  /** Pods just deleted for the update, though the cache still shows them. */
  readonly takenDown: readonly PodView[];
  readonly now: number;
}

/**
 * Returns the desired status. An update is complete when all pods exist, are updated and ready: then its revision becomes the
 * current one.
 */
export function statefulSetStatus(
  set: StatefulSetView,
  { pods, revisions: { current, update }, collisionCount, takenDown, now }: StatefulSetFacts,
): StatefulSetStatusView {
  const created = pods.filter(isCreated);
  const ready = created.filter(isRunningAndReady);
  const at = (revision: string | undefined, among: readonly PodView[]): number =>
    among.filter((pod) => !isGoing(pod) && podRevision(pod) === revision).length;
  const counted = {
    observedGeneration: set.metadata.generation ?? 0,
    collisionCount,
    replicas: created.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, minReadySecondsOf(set), now)).length,
    currentReplicas: at(current.metadata.name, created) - at(current.metadata.name, takenDown),
    updatedReplicas: at(update.metadata.name, created),
    currentRevision: current.metadata.name ?? "",
    updateRevision: update.metadata.name ?? "",
    ...definedOnly({ conditions: set.status?.conditions }),
  };
  const isComplete =
    isRollingUpdate(set) && [counted.updatedReplicas, counted.readyReplicas, counted.replicas].every((count) => count === replicasOf(set));
  return isComplete ? { ...counted, currentReplicas: counted.updatedReplicas, currentRevision: counted.updateRevision } : counted;
}

/** Whether the second differs from the first. */
export function isStatusNews(before: StatefulSetStatusView | undefined, after: StatefulSetStatusView): boolean {
  const counts = ["replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas", "collisionCount"] as const;
  const names = ["currentRevision", "updateRevision"] as const;
  return (
    (after.observedGeneration ?? 0) > (before?.observedGeneration ?? 0) ||
    counts.some((count) => (before?.[count] ?? 0) !== (after[count] ?? 0)) ||
    names.some((name) => (before?.[name] ?? "") !== (after[name] ?? ""))
  );
}

export interface WriteStatefulSetStatusOptions {
  readonly client: Client;
  /** Random source for the jitter between attempts. */
  readonly random: Random;
  readonly signal: AbortSignal;
}

/**
 * Writes a changed status. After a conflict it retries on the current object of the server, unless that is another set of the same
 * name.
 */
export async function writeStatefulSetStatus(
  set: StatefulSetView,
  status: StatefulSetStatusView,
  { client, random, signal }: WriteStatefulSetStatusOptions,
): Promise<void> {
  if (!isStatusNews(set.status, status)) return;
  const { name = "", namespace = "", uid } = set.metadata;
  const sets = client.resource(StatefulSet);
  let latest = set;
  let isStale = false;
  await retryOnConflict({ clock: client.clock, random, signal }, async () => {
    if (isStale) latest = await sets.get(name, { namespace, signal });
    isStale = true;
    if (latest.metadata.uid === uid) await sets.status.update({ ...latest, status }, { namespace, signal });
  });
}
