/** An object that every active namespace has: whether a namespace takes one, and what it means that it could not be created. */
import type { Namespace } from "@drover/api/core/v1";
import { hasStatusCause, isAlreadyExists, isNotFound } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** One that is on its way out takes nothing any more. */
export function isActive(namespace: DeepReadonly<Namespace> | undefined): boolean {
  return namespace?.status?.phase === "Active";
}

/**
 * Creates it. Somebody was faster, or the namespace is going or gone: then there is nothing left to do, and caches will
 * say if there is.
 */
export async function ensureCreated(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isAlreadyExists(error) && !isNotFound(error) && !hasStatusCause(error, "NamespaceTerminating")) throw error;
  }
}
