/**
 * Deletes members that are no longer desired, in reverse order of application.
 *
 *     members by kind, desired objects → requests, and what is left
 */
import { getOwn, isConflict, isNotFound } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import { heldBy } from "./apply-member.ts";
import type { MemberStep } from "./apply-member.ts";
import { applyRank } from "./apply-order.ts";
import { memberOwner } from "./member-owner.ts";
import { pruneLabel } from "./set-identity.ts";
import { wranglerPruneLabel } from "./wrangler-annotations.ts";
import { deleteMember, placeOf } from "./write-member.ts";
import type { MemberWriter } from "./write-member.ts";

/** A candidate for pruning. */
export interface Prunable {
  readonly kind: Kind;
  readonly object: DeepReadonly<KubeObject>;
}

/**
 * Splits candidates into those to delete (`going`, last rank first) and those to keep. Considers only objects that
 * carry our mark and have no other controller.
 */
export function prunable(
  { set, identity, owner }: MemberWriter,
  candidates: readonly Prunable[],
): { readonly going: readonly Prunable[]; readonly kept: readonly Prunable[] } {
  const marked = candidates.filter(({ object }) => {
    const whose = memberOwner(object, identity, owner);
    return whose.type === "ours" && whose.isMarked;
  });
  const { prune = true } = set;
  const stays = ({ object }: Prunable): boolean => isKept(object) || prune === false || (typeof prune === "function" && !prune(object));
  return {
    going: marked.filter((candidate) => !stays(candidate)).toSorted((a, b) => applyRank(b.kind) - applyRank(a.kind)),
    kept: marked.filter(stays),
  };
}

const isKept = ({ metadata: { labels = {} } }: DeepReadonly<KubeObject>): boolean =>
  [pruneLabel, wranglerPruneLabel].some((label) => getOwn(labels, label) === "false");

/** Deletes one member. Returns undefined if it was already gone or has another owner now; "waiting" while a finalizer holds it. */
export async function pruneMember(writer: MemberWriter, { kind, object }: Prunable): Promise<MemberStep | undefined> {
  if (object.metadata.deletionTimestamp !== undefined) return { type: "waiting", why: `is being deleted${heldBy(object)}`, before: object };
  try {
    return await deleted(writer, { kind, object });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (!isConflict(error)) throw error;
  }
  // It has changed since we read it, and may have been removed from the set.
  const { name = "", namespace = "" } = object.metadata;
  const { client, signal } = writer.context;
  try {
    const now = await client.dynamic(kind).get(name, { signal, ...placeOf(namespace) });
    const { going, kept } = prunable(writer, [{ kind, object: now }]);
    if (kept.length > 0) return { type: "left", why: "it is marked to be kept", before: now };
    if (going.length === 0) return undefined;
    return now.metadata.deletionTimestamp === undefined
      ? await deleted(writer, { kind, object: now })
      : { type: "waiting", why: `is being deleted${heldBy(now)}`, before: now };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function deleted(writer: MemberWriter, { kind, object }: Prunable): Promise<MemberStep> {
  const answer = await deleteMember(writer, kind, object);
  const isHeld = "deletionTimestamp" in answer.metadata && !writer.isDryRun;
  return {
    type: isHeld ? "waiting" : "deleted",
    why: isHeld ? `is being deleted${heldBy(answer)}` : "it is no longer desired",
    before: object,
  };
}
