/**
 * Decides about one object whose owners or dependents may be gone, on the current state of the server.
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
 * Deletes the object if it had owners and none is left; removes references to absent owners if others are left; removes the
 * foreground finalizer if no dependent blocks the deletion.
 *
 * Never deletes on uncertainty: rejects, before any write, when a kind is not served or the server does not answer.
 */
export async function attemptToDelete(node: GraphNode, { graph, live }: AttemptContext): Promise<readonly GraphEffect[]> {
  const { identity } = node;
  // Its deletion is under way; its dependents are processed when it is gone.
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
 * Returns the dependents that block an owner's foreground deletion. Excludes the owner itself, which would wait forever, as it
 * does upstream.
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

/** Returns false when the object is gone. */
async function dropOwners({ identity }: GraphNode, { dangling, waiting }: ClassifiedOwners, live: LiveView): Promise<boolean> {
  // Also removes owners that wait for this dependent, or they would wait forever.
  const gone = [...dangling, ...waiting].map(({ uid }) => uid);
  return (
    gone.length === 0 || (await live.patch(identity, dropOwnersPatch(identity.uid, gone), (latest) => dropOwnersMergePatch(latest, gone)))
  );
}

/** When an owner and a dependent both wait for their dependents, they may wait for each other through this object, so it stops blocking. */
async function breakCircle({ identity, owners, dependents }: GraphNode, live: LiveView): Promise<void> {
  if (![...dependents].some(({ isDeletingDependents }) => isDeletingDependents)) return;
  await live.patch(identity, unblockOwnersPatch(identity.uid, owners), unblockOwnersMergePatch);
}

/** Keeps the propagation policy that the finalizers record. */
function propagationOf({ metadata: { finalizers = [] } }: PartialObjectMetadata): DeletionPropagation {
  if (finalizers.includes(orphanFinalizer)) return "Orphan";
  return finalizers.includes(foregroundFinalizer) ? "Foreground" : "Background";
}
