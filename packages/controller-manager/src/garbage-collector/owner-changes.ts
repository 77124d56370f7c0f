/** Differences between the owner references of two versions of an object. */
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly, OwnerReference } from "@drover/machinery";

type Owner = DeepReadonly<OwnerReference>;

export interface OwnerChanges {
  readonly added: readonly Owner[];
  readonly removed: readonly Owner[];
  /** Same uid, other fields. */
  readonly changed: readonly { readonly before: Owner; readonly now: Owner }[];
}

/** Compares references by uid. */
export function ownerChanges(before: readonly Owner[], now: readonly Owner[]): OwnerChanges {
  const left = new Map(before.map((owner) => [owner.uid, owner]));
  const added: Owner[] = [];
  const changed: { readonly before: Owner; readonly now: Owner }[] = [];
  for (const owner of now) {
    const known = left.get(owner.uid);
    if (known === undefined) added.push(owner);
    else if (!jsonEqual(known, owner)) changed.push({ before: known, now: owner });
    left.delete(owner.uid);
  }
  return { added, removed: [...left.values()], changed };
}

/** Returns the uids of owners that this object blocked in foreground deletion and no longer does. */
export function unblockedOwners({ removed, changed }: OwnerChanges): readonly string[] {
  const isBlocking = ({ blockOwnerDeletion }: Owner): boolean => blockOwnerDeletion === true;
  return [
    ...removed.filter(isBlocking),
    ...changed.filter(({ before, now }) => isBlocking(before) && !isBlocking(now)).map(({ now }) => now),
  ].map(({ uid }) => uid);
}
