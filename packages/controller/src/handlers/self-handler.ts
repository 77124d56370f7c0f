/** Maps the changed object to its own key. Used by `for`. */
import type { Change } from "@drover/cache";
import { requestsFor } from "./request.ts";
import type { Request } from "./request.ts";

/** Enqueues the object itself. Uses only the key, so the object is not parsed. controller-runtime's EnqueueRequestForObject. */
export function selfHandler(change: Change): readonly Request[] {
  return requestsFor(change, "self", [change.key]);
}
