/** An object that every active namespace has: whether a namespace accepts it, and which create errors to ignore. */
import type { Namespace } from "@drover/api/core/v1";
import { hasStatusCause, isAlreadyExists, isNotFound } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** A terminating namespace accepts no objects. */
export function isActive(namespace: DeepReadonly<Namespace> | undefined): boolean {
  return namespace?.status?.phase === "Active";
}

/**
 * Creates the object. Ignores that it already exists or that the namespace is terminating or gone; a cache event triggers a new
 * sync if needed.
 */
export async function ensureCreated(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isAlreadyExists(error) && !isNotFound(error) && !hasStatusCause(error, "NamespaceTerminating")) throw error;
  }
}
