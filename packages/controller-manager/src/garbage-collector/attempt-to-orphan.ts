/** Parts a deleted object from its dependents, which stay, and then lets it go. */
import { errorText, orphanFinalizer } from "@drover/machinery";
import type { GraphNode } from "./graph-state.ts";
import type { LiveView } from "./live-objects.ts";
import { printIdentity } from "./object-identity.ts";
import { dropOwnersMergePatch, dropOwnersPatch } from "./owner-patches.ts";

/**
 * Takes the owner away from all its dependents at once, and its finalizer only when every one of them is without it;
 * those that are gone are.
 * Rejects with an `AggregateError` of what failed, and the finalizer stays.
 */
export async function attemptToOrphan({ identity, dependents }: GraphNode, live: LiveView): Promise<void> {
  const owner = [identity.uid];
  const parted = await Promise.allSettled(
    Array.from(dependents, async ({ identity: dependent }) => {
      try {
        await live.patch(dependent, dropOwnersPatch(dependent.uid, owner), (latest) => dropOwnersMergePatch(latest, owner));
      } catch (error) {
        throw new Error(`orphaning ${printIdentity(dependent)} failed: ${errorText(error)}`, {
          cause: error,
        });
      }
    }),
  );
  const failures = parted.flatMap((part) => (part.status === "rejected" ? [part.reason as unknown] : []));
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `failed to orphan dependents of owner ${printIdentity(identity)}: ${failures.map((failure) => (failure as Error).message).join("; ")}`,
    );
  await live.dropFinalizer(identity, orphanFinalizer);
}
