/**
 * Reads the objects that an object owns from the caches, by slot.
 *
 *     readMembers(caches, …) → one list per slot → ownedOf → { deployment: …, pods: […] }
 */
import { controllerOf, getOwn, objectKeyOf, setOwn } from "@drover/machinery";
import type { DeepReadonly, KubeObject, Kind } from "@drover/machinery";
import { setLabel } from "../apply/set-identity.ts";
import { ownedChildren } from "../children/owned-children.ts";
import { setIndex, sorted } from "./declared-caches.ts";
import type { KindReader } from "./optional-cache.ts";
import type { NamedSlot, Owned, Owns } from "./slot.ts";

/** Annotation with the slot of an object, for kinds with two slots. */
export const slotAnnotation = "drover.dev/slot";

/** The caches that members are read from. */
export interface MemberCaches {
  reader(kind: Kind): Pick<KindReader, "byIndex" | "listIndexValues">;
}

type Objects = readonly DeepReadonly<KubeObject>[];

/** Objects by slot name. */
export type Members = ReadonlyMap<string, Objects>;

/** Returns the objects of a kind that the owner controls, and those with its set label and no controller. */
export function membersOfKind(caches: MemberCaches, kind: Kind, owner: DeepReadonly<KubeObject>, setId: string): Objects {
  const reader = caches.reader(kind);
  const labelled = reader.byIndex(setIndex, setId).filter((object) => controllerOf(object) === undefined);
  return [...new Map([...labelled, ...ownedChildren(reader, owner)].map((object) => [objectKeyOf(object), object])).values()];
}

/** Returns the objects of each slot; for a slot with one object, the one to show comes first. */
export function readMembers(caches: MemberCaches, slots: readonly NamedSlot[], owner: DeepReadonly<KubeObject>, setId: string): Members {
  return new Map(
    slots.map((slot) => {
      const all = membersOfKind(caches, slot.kind, owner, setId);
      const own = slot.isShared ? all.filter(({ metadata }) => getOwn(metadata.annotations ?? {}, slotAnnotation) === slot.name) : all;
      return [slot.name, slot.count === "many" ? sorted(own) : own.toSorted(byRank)];
    }),
  );
}

/** Converts members to the `owned` of the context. */
export function ownedOf(slots: readonly NamedSlot[], members: Members): Owned<Owns> {
  const owned: Record<string, unknown> = {};
  for (const { name, count } of slots) {
    const objects = members.get(name) ?? [];
    if (count === "many") setOwn(owned, name, objects);
    else if (objects[0] !== undefined) setOwn(owned, name, objects[0]);
  }
  return Object.freeze(owned) as Owned<Owns>;
}

/** Orders several candidates for a slot with one object: set members first, then those not being deleted, then the youngest. */
function byRank(left: DeepReadonly<KubeObject>, right: DeepReadonly<KubeObject>): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  return a < b ? 1 : a > b ? -1 : 0;
}

function rankOf({ metadata: { labels = {}, deletionTimestamp, creationTimestamp = "", name = "" } }: DeepReadonly<KubeObject>): string {
  return `${Object.hasOwn(labels, setLabel) ? 1 : 0} ${deletionTimestamp === undefined ? 1 : 0} ${creationTimestamp} ${name}`;
}
