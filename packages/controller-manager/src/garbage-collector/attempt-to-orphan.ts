/** Removes a deleted owner from its dependents, which stay, then removes its finalizer. */
import { errorText, orphanFinalizer } from "@drover/machinery";
import type { GraphNode } from "./graph-state.ts";
import type { LiveView } from "./live-objects.ts";
import { printIdentity } from "./object-identity.ts";
import { dropOwnersMergePatch, dropOwnersPatch } from "./owner-patches.ts";

/**
 * Removes the owner reference from all dependents in parallel, and the finalizer once all succeeded or were gone. Rejects with an
 * `AggregateError` otherwise, and the finalizer stays.
 */
export async function attemptToOrphan({ identity, dependents }: GraphNode, live: LiveView): Promise<void> {
  const owner = [identity.uid];
  const parted = await Promise.allSettled(
    Array.from(dependents, async ({ identity: dependent }) => {
      try {
        await live.patch(dependent, dropOwnersPatch(dependent.uid, owner), (latest) => dropOwnersMergePatch(latest, owner));
      } catch (error) {
        throw new Error(`cannot orphan ${printIdentity(dependent)}: ${errorText(error)}`, {
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
