/** The object that changed is the one to reconcile: what `for` watches with. */
import type { Change } from "@drover/cache";
import { requestsFor } from "./request.ts";
import type { Request } from "./request.ts";

/** A request for the object itself. Does not look into it, so it is not even read. controller-runtime's EnqueueRequestForObject. */
export function selfHandler(change: Change): readonly Request[] {
  return requestsFor(change, "self", [change.key]);
}
