/**
 * Which workloads to sync when a child, a pod or a revision, changes, and which expectations the change meets.
 *
 *     Change<Pod> → childConcerns → keys for the queue; creations and deletions for the expectations
 */
import type { Change } from "@drover/cache";
import { controllerOf, jsonEqual, objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey, OwnerReference } from "@drover/machinery";

type ObjectView = DeepReadonly<KubeObject>;

/** Finds owners of one kind. */
export interface OwnerFinder {
  /** Returns the owner by name and uid; undefined for a reference to another kind, or to an owner that is gone. */
  readonly owner: (namespace: string, reference: DeepReadonly<OwnerReference>) => ObjectView | undefined;
  /** Returns owners in the child's namespace whose selector matches it. */
  readonly matching: (child: ObjectView) => readonly ObjectView[];
}

/** What follows from a change. */
export interface ChildConcerns {
  readonly keys: readonly ObjectKey[];
  /** Owners whose child was created. */
  readonly created: readonly ObjectKey[];
  /** Owners whose child is gone or terminating, and the child. */
  readonly deleted: readonly { readonly owner: ObjectKey; readonly child: ObjectKey }[];
}

const none: ChildConcerns = { keys: [], created: [], deleted: [] };

/** A child with an owner concerns only that owner; one without concerns every owner that matches it. A terminating child counts as gone. */
export function childConcerns(change: Change, find: OwnerFinder): ChildConcerns {
  if (change.type === "deleted") return gone([change.object], find);
  if (change.type === "added")
    return change.object.metadata.deletionTimestamp === undefined ? come(change.object, find) : gone([change.object], find);
  return change.isResync ? none : changed(change.before, change.object, find);
}

function come(child: ObjectView, find: OwnerFinder): ChildConcerns {
  if (controllerOf(child) === undefined) return { ...none, keys: keysOf(find.matching(child)) };
  const keys = keysOf(ownerOf(child, find));
  return { ...none, keys, created: keys };
}

function gone(states: readonly ObjectView[], find: OwnerFinder): ChildConcerns {
  const deleted = states.flatMap((child) => keysOf(ownerOf(child, find)).map((owner) => ({ owner, child: objectKeyOf(child) })));
  return { keys: deleted.map(({ owner }) => owner), created: [], deleted };
}

function changed(before: ObjectView, child: ObjectView, find: OwnerFinder): ChildConcerns {
  const hasOtherLabels = !jsonEqual(before.metadata.labels ?? {}, child.metadata.labels ?? {});
  if (child.metadata.deletionTimestamp !== undefined) return gone(hasOtherLabels ? [child, before] : [child], find);
  const hasOtherOwner = !jsonEqual(controllerOf(before) ?? null, controllerOf(child) ?? null);
  const left = hasOtherOwner ? keysOf(ownerOf(before, find)) : [];
  if (controllerOf(child) !== undefined) return { ...none, keys: [...left, ...keysOf(ownerOf(child, find))] };
  return { ...none, keys: hasOtherLabels || hasOtherOwner ? [...left, ...keysOf(find.matching(child))] : left };
}

function ownerOf(child: ObjectView, find: OwnerFinder): readonly ObjectView[] {
  const reference = controllerOf(child);
  const owner = reference === undefined ? undefined : find.owner(child.metadata.namespace ?? "", reference);
  return owner === undefined ? [] : [owner];
}

const keysOf = (found: readonly ObjectView[]): readonly ObjectKey[] => found.map(objectKeyOf);
