/**
 * Which Deployments to sync when a ReplicaSet changes or a pod is gone.
 *
 *     Change<ReplicaSet> → replicaSetConcerns → keys;   Change<Pod> → podConcerns → keys
 */
import type { ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { controllerOf, jsonEqual, objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, ObjectKey, OwnerReference } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import type { DeploymentView } from "./deployment-view.ts";

/** Finds Deployments and their ReplicaSets. */
export interface DeploymentFinder {
  /** Returns the owner by name and uid; undefined for a reference to another kind, or to an owner that is gone. */
  readonly owner: (namespace: string, reference: DeepReadonly<OwnerReference>) => DeploymentView | undefined;
  /** Returns Deployments of the namespace whose selector is not empty and matches. */
  readonly matching: (replicaSet: ReplicaSetView) => readonly DeploymentView[];
  /** Returns the ReplicaSet that controls a pod. */
  readonly replicaSetOf: (pod: PodView) => ReplicaSetView | undefined;
}

/**
 * A ReplicaSet with an owner concerns only that owner; one without concerns every Deployment that matches it, unless it is being
 * deleted.
 */
export function replicaSetConcerns(change: Change<ReplicaSet>, find: DeploymentFinder): readonly ObjectKey[] {
  const { object } = change;
  if (change.type === "deleted" || (change.type === "added" && object.metadata.deletionTimestamp !== undefined))
    return keysOf(ownerOf(object, find));
  if (change.type === "added") return keysOf(concerned(object, find));
  if (change.isResync) return [];
  const { before } = change;
  const hasOtherOwner = !jsonEqual(controllerOf(before) ?? null, controllerOf(object) ?? null);
  const hasOtherLabels = !jsonEqual(before.metadata.labels ?? {}, object.metadata.labels ?? {});
  const left = hasOtherOwner ? ownerOf(before, find) : [];
  const isNews = controllerOf(object) !== undefined || hasOtherOwner || hasOtherLabels;
  return keysOf([...left, ...(isNews ? concerned(object, find) : [])]);
}

/** Only deleted pods count, and only for Deployments with the strategy Recreate. */
export function podConcerns(change: Change<Pod>, find: DeploymentFinder): readonly ObjectKey[] {
  const replicaSet = change.type === "deleted" ? find.replicaSetOf(change.object) : undefined;
  return replicaSet === undefined ? [] : keysOf(ownerOf(replicaSet, find).filter(({ spec }) => spec?.strategy?.type === "Recreate"));
}

function concerned(replicaSet: ReplicaSetView, find: DeploymentFinder): readonly DeploymentView[] {
  return controllerOf(replicaSet) === undefined ? find.matching(replicaSet) : ownerOf(replicaSet, find);
}

function ownerOf(replicaSet: ReplicaSetView, find: DeploymentFinder): readonly DeploymentView[] {
  const reference = controllerOf(replicaSet);
  const owner = reference === undefined ? undefined : find.owner(replicaSet.metadata.namespace ?? "", reference);
  return owner === undefined ? [] : [owner];
}

const keysOf = (found: readonly DeploymentView[]): readonly ObjectKey[] => found.map(objectKeyOf);
