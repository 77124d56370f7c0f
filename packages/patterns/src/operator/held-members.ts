/**
 * Which objects belong to slots that are left as they are, before and after an apply.
 *
 *     held slots, Members, ApplyOutcome → heldMembers, membersAfter, waitsOf
 */
import { deepFreeze, getOwn, parseGroupVersion } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import type { ApplyOutcome } from "../apply/apply-set.ts";
import type { DesiredPlan } from "./desired-plan.ts";
import type { HeldSlot } from "./operator-context.ts";
import { slotAnnotation } from "./read-owned.ts";
import type { Members } from "./read-owned.ts";
import type { NamedSlot } from "./slot.ts";

/** Returns a predicate for members whose slot is held. An unmarked member, from before its kind had two slots, may belong to either. */
export function heldMembers(held: readonly NamedSlot[], members: Members): (member: DeepReadonly<KubeObject>) => boolean {
  const uids = new Set(held.flatMap(({ name }) => (members.get(name) ?? []).map(({ metadata }) => metadata.uid)));
  const shared = held.filter(({ isShared }) => isShared);
  return (member) =>
    uids.has(member.metadata.uid) ||
    (getOwn(member.metadata.annotations ?? {}, slotAnnotation) === undefined && shared.some(({ kind }) => kind.kind === member.kind));
}

/** Reports whether an object is of a kind, in any version. */
export const isOfKind = ({ apiVersion = "", kind }: DeepReadonly<KubeObject>, other: Kind): boolean =>
  kind === other.kind && parseGroupVersion(apiVersion).group === other.group;

/** Members after the apply; held slots keep theirs. */
export function membersAfter(before: Members, { objects, holds }: DesiredPlan, outcome: ApplyOutcome): Members {
  const members = new Map([...before].filter(([slot]) => holds.some((held) => held.slot === slot)));
  for (const [index, { slot }] of objects.entries()) {
    const live = outcome.objects[index];
    if (live !== undefined) members.set(slot.name, [...(members.get(slot.name) ?? []), deepFreeze(live)]);
  }
  return members;
}

/** Slots with an object that waits. */
export function waitsOf({ objects }: DesiredPlan, { changes }: ApplyOutcome): readonly HeldSlot[] {
  return changes
    .filter(({ type }) => type === "waiting")
    .flatMap((change) => {
      const planned = objects.find(
        ({
          desired: {
            kind,
            object: { metadata },
          },
        }) => kind.kind === change.kind.kind && kind.group === change.kind.group && metadata.name === change.name,
      );
      return planned === undefined ? [] : [{ slot: planned.slot.name, why: change.why ?? "waits" }];
    });
}
