/** What became of the owners of an object between two looks at it. */
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly, OwnerReference } from "@drover/machinery";

type Owner = DeepReadonly<OwnerReference>;

export interface OwnerChanges {
  readonly added: readonly Owner[];
  readonly removed: readonly Owner[];
  /** The same uid, said otherwise. */
  readonly changed: readonly { readonly before: Owner; readonly now: Owner }[];
}

/** Told apart by uid. */
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

/** Those who no longer wait for this object in a foreground deletion, though they did. */
export function unblockedOwners({ removed, changed }: OwnerChanges): readonly string[] {
  const isBlocking = ({ blockOwnerDeletion }: Owner): boolean => blockOwnerDeletion === true;
  return [
    ...removed.filter(isBlocking),
    ...changed.filter(({ before, now }) => isBlocking(before) && !isBlocking(now)).map(({ now }) => now),
  ].map(({ uid }) => uid);
}
