/**
 * Handlers that record observations in expectations and return the keys to sync.
 *
 *     Change of an owner → observedOwner;   Change of a child → observedChildren → Expectations, keys
 */
import { requestsFor } from "@drover/controller";
import type { Handler } from "@drover/controller";
import type { KubeObject } from "@drover/machinery";
import type { Expectations } from "@drover/patterns";
import { childConcerns } from "./child-concerns.ts";
import type { OwnerFinder } from "./child-concerns.ts";

/** Forgets the expectations of an owner that was added or deleted: its name may have been another's. */
export function observedOwner<T extends KubeObject>(expectations: Expectations): Handler<T> {
  return (change) => {
    if (change.type !== "updated") expectations.forget(change.key);
    return requestsFor(change, "self", [change.key]);
  };
}

/** Seeing a change twice either changes nothing or meets an expectation early, and then read-your-writes of the cache covers it. */
export function observedChildren<T extends KubeObject>(expectations: Expectations, find: OwnerFinder): Handler<T> {
  return (change) => {
    const { keys, created, deleted } = childConcerns(change, find);
    for (const owner of created) expectations.creationObserved(owner);
    for (const { owner, child } of deleted) expectations.deletionObserved(owner, child);
    return requestsFor(change, "owner", keys);
  };
}
