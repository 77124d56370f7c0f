/**
 * Handlers that tell expectations what they wait for while they say who is to look again.
 *
 *     Change of an owner → observedOwner;   Change of a child → observedChildren → Expectations, keys
 */
import { requestsFor } from "@drover/controller";
import type { Handler } from "@drover/controller";
import type { KubeObject } from "@drover/machinery";
import type { Expectations } from "@drover/patterns";
import { childConcerns } from "./child-concerns.ts";
import type { OwnerFinder } from "./child-concerns.ts";

/** One that comes or goes expects nothing: its name may have been another's. */
export function observedOwner<T extends KubeObject>(expectations: Expectations): Handler<T> {
  return (change) => {
    if (change.type !== "updated") expectations.forget(change.key);
    return requestsFor(change, "self", [change.key]);
  };
}

/** Told again expectations change nothing, or are met a little early and then waited for by the cache. */
export function observedChildren<T extends KubeObject>(expectations: Expectations, find: OwnerFinder): Handler<T> {
  return (change) => {
    const { keys, created, deleted } = childConcerns(change, find);
    for (const owner of created) expectations.creationObserved(owner);
    for (const { owner, child } of deleted) expectations.deletionObserved(owner, child);
    return requestsFor(change, "owner", keys);
  };
}
