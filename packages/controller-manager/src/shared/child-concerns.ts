/**
 * What a change of a child, a pod or a revision, means to workloads: who is to look again, and who has seen what it waited for.
 *
 *     Change<Pod> → childConcerns → keys for the queue; creations and deletions for the expectations
 */
import type { Change } from "@drover/cache";
import { controllerOf, jsonEqual, objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject, ObjectKey, OwnerReference } from "@drover/machinery";

type ObjectView = DeepReadonly<KubeObject>;

/** How owners of one kind are found. */
export interface OwnerFinder {
  /** The very one a reference means, by name and uid; undefined for a reference to another kind, and for one that is gone. */
  readonly owner: (namespace: string, reference: DeepReadonly<OwnerReference>) => ObjectView | undefined;
  /** Those of the child's namespace whose selector matches it. */
  readonly matching: (child: ObjectView) => readonly ObjectView[];
}

/** What follows from a change. */
export interface ChildConcerns {
  readonly keys: readonly ObjectKey[];
  /** Whose child has come. */
  readonly created: readonly ObjectKey[];
  /** Whose child is gone or going, and which. */
  readonly deleted: readonly { readonly owner: ObjectKey; readonly child: ObjectKey }[];
}

const none: ChildConcerns = { keys: [], created: [], deleted: [] };

/**
 * A child that has an owner concerns nobody else; one without is a chance for whoever matches it. A child that is being
 * deleted counts as gone.
 */
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
