/** Which Jobs to sync when a pod changes, and which expectations the change meets. */
import type { Pod } from "@drover/api/core/v1";
import type { Handler } from "@drover/controller";
import type { Expectations } from "@drover/patterns";
import type { OwnerFinder } from "../shared/child-concerns.ts";
import { observedChildren } from "../shared/observed-children.ts";
import type { JobMemory } from "./job-memory.ts";
import { isTracked } from "./job-view.ts";

/** Records created and deleted pods in the expectations. A pod without the finalizer counts as released. */
export function jobPodHandler(expectations: Expectations, memory: JobMemory, find: OwnerFinder): Handler<Pod> {
  const observed: Handler<Pod> = observedChildren(expectations, find);
  return (change) => {
    const requests = observed(change);
    if (change.type === "deleted" || !isTracked(change.object)) for (const { key } of requests) memory.freed(key, change.uid);
    return requests;
  };
}
