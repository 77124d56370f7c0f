/**
 * What becomes of one object whose owners may be gone, or whose dependents may be: decided on what the server says now.
 *
 *     GraphNode → GET → (GET of each owner) → nothing, PATCH or DELETE → GraphEffect[]
 */
import { foregroundFinalizer, orphanFinalizer } from "@drover/machinery";
import type { DeletionPropagation, PartialObjectMetadata } from "@drover/machinery";
import { classifyOwners } from "./classify-owners.ts";
import type { ClassifiedOwners } from "./classify-owners.ts";
import type { GraphEffect, GraphNode, GraphState } from "./graph-state.ts";
import type { LiveView } from "./live-objects.ts";
import { dropOwnersMergePatch, dropOwnersPatch, unblockOwnersMergePatch, unblockOwnersPatch } from "./owner-patches.ts";

export interface AttemptContext {
  readonly graph: GraphState;
  readonly live: LiveView;
}

/**
 * Deletes the object if it had owners and none of them is left; takes away owners that are gone if others are left; lets it go if it is
 * deleted in the foreground and nobody holds it back.
 *
 * Never deletes on uncertainty: rejects, before any write, when a kind is not served or the server does not answer.
 */
export async function attemptToDelete(node: GraphNode, { graph, live }: AttemptContext): Promise<readonly GraphEffect[]> {
  const { identity } = node;
  // Its end is decided; what depends on it is looked at when it has come.
  if (node.isBeingDeleted && !node.isDeletingDependents) return [];
  const latest = await live.get(identity);
  if (latest?.metadata.uid !== identity.uid) return graph.absent(identity);
  if (node.isDeletingDependents) return await letGo(node, live);
  const owners = latest.metadata.ownerReferences ?? [];
  if (owners.length === 0) return [];
  const classified = await classifyOwners(owners, identity.namespace, { live, absentOwners: graph.absentOwners });
  if (classified.solid.length > 0) return (await dropOwners(node, classified, live)) ? [] : graph.absent(identity);
  const isForeground = classified.waiting.length > 0 && node.dependents.size > 0;
  if (isForeground) await breakCircle(node, live);
  const isDeleted = await live.delete(identity, { latest, propagationPolicy: isForeground ? "Foreground" : propagationOf(latest) });
  return isDeleted ? [] : graph.absent(identity);
}

/**
 * The dependents that hold an owner back from its end in the foreground. It cannot be one of them itself: it would wait
 * for ever, as it does upstream.
 */
export function blockingDependents(owner: GraphNode): readonly GraphNode[] {
  const { identity, dependents } = owner;
  return [...dependents].filter(
    (dependent) =>
      dependent !== owner && dependent.owners.some(({ uid, blockOwnerDeletion }) => uid === identity.uid && blockOwnerDeletion === true),
  );
}

async function letGo(node: GraphNode, live: LiveView): Promise<readonly GraphEffect[]> {
  const blocking = blockingDependents(node);
  if (blocking.length === 0) {
    await live.dropFinalizer(node.identity, foregroundFinalizer);
    return [];
  }
  return blocking
    .filter(({ isDeletingDependents }) => !isDeletingDependents)
    .map(({ identity: { uid } }): GraphEffect => ({ type: "delete", uid, why: "its owner is deleted in the foreground and waits for it" }));
}

/** False when the object is gone. */
async function dropOwners({ identity }: GraphNode, { dangling, waiting }: ClassifiedOwners, live: LiveView): Promise<boolean> {
  // Those that wait as well, or they would wait for it for ever.
  const gone = [...dangling, ...waiting].map(({ uid }) => uid);
  return (
    gone.length === 0 || (await live.patch(identity, dropOwnersPatch(identity.uid, gone), (latest) => dropOwnersMergePatch(latest, gone)))
  );
}

/**
 * Where an owner and a dependent both wait for their dependents they may wait for each other, through this object: so
 * nobody waits for it.
 */
async function breakCircle({ identity, owners, dependents }: GraphNode, live: LiveView): Promise<void> {
  if (![...dependents].some(({ isDeletingDependents }) => isDeletingDependents)) return;
  await live.patch(identity, unblockOwnersPatch(identity.uid, owners), unblockOwnersMergePatch);
}

/** What was asked for before stays asked for. */
function propagationOf({ metadata: { finalizers = [] } }: PartialObjectMetadata): DeletionPropagation {
  if (finalizers.includes(orphanFinalizer)) return "Orphan";
  return finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background";
}
