/**
 * What a change of a pod means to ReplicaSets: who is to look again, and who has seen what it waited for.
 *
 *     Change<Pod> → podConcerns → keys for the queue; creations and deletions for the expectations
 */
import type { Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { controllerOf, jsonEqual, objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, ObjectKey, OwnerReference } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";

/** How ReplicaSets are found. */
export interface ReplicaSetFinder {
  /** The very one a reference means, by name and uid; undefined for a reference to another kind, and for one that is gone. */
  readonly owner: (namespace: string, reference: DeepReadonly<OwnerReference>) => ReplicaSetView | undefined;
  /** Those of the pod's namespace whose selector matches it. */
  readonly matching: (pod: PodView) => readonly ReplicaSetView[];
}

/** What follows from a change. */
export interface PodConcerns {
  readonly keys: readonly ObjectKey[];
  /** Whose pod has come. */
  readonly created: readonly ObjectKey[];
  /** Whose pod is gone or going, and which. */
  readonly deleted: readonly { readonly owner: ObjectKey; readonly pod: ObjectKey }[];
}

const none: PodConcerns = { keys: [], created: [], deleted: [] };

/** A pod that has an owner concerns nobody else; one without is a chance for whoever matches it. A pod that is being deleted counts as gone. */
export function podConcerns(change: Change<Pod>, find: ReplicaSetFinder): PodConcerns {
  if (change.type === "deleted") return gone([change.object], find);
  if (change.type === "added") return change.object.metadata.deletionTimestamp === undefined ? come(change.object, find) : gone([change.object], find);
  return change.isResync ? none : changed(change.before, change.object, find);
}

function come(pod: PodView, find: ReplicaSetFinder): PodConcerns {
  if (controllerOf(pod) === undefined) return { ...none, keys: keysOf(find.matching(pod)) };
  const keys = keysOf(ownerOf(pod, find));
  return { ...none, keys, created: keys };
}

function gone(states: readonly PodView[], find: ReplicaSetFinder): PodConcerns {
  const deleted = states.flatMap((pod) => keysOf(ownerOf(pod, find)).map((owner) => ({ owner, pod: objectKeyOf(pod) })));
  return { keys: deleted.map(({ owner }) => owner), created: [], deleted };
}

function changed(before: PodView, pod: PodView, find: ReplicaSetFinder): PodConcerns {
  const hasOtherLabels = !jsonEqual(before.metadata.labels ?? {}, pod.metadata.labels ?? {});
  if (pod.metadata.deletionTimestamp !== undefined) return gone(hasOtherLabels ? [pod, before] : [pod], find);
  const hasOtherOwner = !jsonEqual(controllerOf(before) ?? null, controllerOf(pod) ?? null);
  const left = hasOtherOwner ? keysOf(ownerOf(before, find)) : [];
  if (controllerOf(pod) !== undefined) return { ...none, keys: [...left, ...keysOf(ownerOf(pod, find))] };
  return { ...none, keys: hasOtherLabels || hasOtherOwner ? [...left, ...keysOf(find.matching(pod))] : left };
}

function ownerOf(pod: PodView, find: ReplicaSetFinder): readonly ReplicaSetView[] {
  const reference = controllerOf(pod);
  const owner = reference === undefined ? undefined : find.owner(pod.metadata.namespace ?? "", reference);
  return owner === undefined ? [] : [owner];
}

const keysOf = (found: readonly ReplicaSetView[]): readonly ObjectKey[] => found.map(objectKeyOf);
