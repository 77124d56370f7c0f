/**
 * What an object owns, slot by slot, as the caches have it.
 *
 *     readMembers(caches, …) → one list for each slot → ownedOf → { deployment: …, pods: […] }
 */
import { controllerOf, getOwn, objectKeyOf, setOwn } from "@drover/machinery";
import type { DeepReadonly, KubeObject, Kind } from "@drover/machinery";
import { setLabel } from "../apply/set-identity.ts";
import { ownedChildren } from "../children/owned-children.ts";
import { setIndex, sorted } from "./declared-caches.ts";
import type { DeclaredCaches } from "./declared-caches.ts";
import type { NamedSlot, Owned, Owns } from "./slot.ts";

/** The slot an object is of, where two slots have one kind. */
export const slotAnnotation = "drover.dev/slot";

type Objects = readonly DeepReadonly<KubeObject>[];

/** Objects by the name of their slot. */
export type Members = ReadonlyMap<string, Objects>;

/** Objects of a kind that this one controls, and those that carry the label of its set and are no other's. */
export function membersOfKind(caches: DeclaredCaches, kind: Kind, owner: DeepReadonly<KubeObject>, setId: string): Objects {
  const informer = caches.informer(kind);
  const labelled = informer.byIndex(setIndex, setId).filter((object) => controllerOf(object) === undefined);
  return [...new Map([...labelled, ...ownedChildren(informer, owner)].map((object) => [objectKeyOf(object), object])).values()];
}

/** What is there for each slot, those that come first that a slot for one would show. */
export function readMembers(caches: DeclaredCaches, slots: readonly NamedSlot[], owner: DeepReadonly<KubeObject>, setId: string): Members {
  return new Map(
    slots.map((slot) => {
      const all = membersOfKind(caches, slot.kind, owner, setId);
      const own = slot.isShared ? all.filter(({ metadata }) => getOwn(metadata.annotations ?? {}, slotAnnotation) === slot.name) : all;
      return [slot.name, slot.count === "many" ? sorted(own) : own.toSorted(byRank)];
    }),
  );
}

/** As authors see it. */
export function ownedOf(slots: readonly NamedSlot[], members: Members): Owned<Owns> {
  const owned: Record<string, unknown> = {};
  for (const { name, count } of slots) {
    const objects = members.get(name) ?? [];
    if (count === "many") setOwn(owned, name, objects);
    else if (objects[0] !== undefined) setOwn(owned, name, objects[0]);
  }
  return Object.freeze(owned) as Owned<Owns>;
}

/** Of several where one should be, the one that stays: of the set before others, not going before going, younger before older. */
function byRank(left: DeepReadonly<KubeObject>, right: DeepReadonly<KubeObject>): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  return a < b ? 1 : a > b ? -1 : 0;
}

function rankOf({ metadata: { labels = {}, deletionTimestamp, creationTimestamp = "", name = "" } }: DeepReadonly<KubeObject>): string {
  return `${Object.hasOwn(labels, setLabel) ? 1 : 0} ${deletionTimestamp === undefined ? 1 : 0} ${creationTimestamp} ${name}`;
}
