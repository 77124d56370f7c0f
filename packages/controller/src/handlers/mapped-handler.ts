/** Maps the changed object to keys with a function: a ConfigMap to the pods that mount it, a Node to its pods. Used by `watches`. */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import { changeStates } from "./change-states.ts";
import { requestsFor } from "./request.ts";
import type { Handler } from "./request.ts";

/** Returns the keys that an object in this state affects. Runs for every change, so it should read only the object and caches. */
export type MapToKeys<T extends KubeObject = KubeObject> = (object: DeepReadonly<T>) => Iterable<ObjectKey>;

/**
 * Returns a handler that enqueues the keys of the function. For an update it maps the state before and after, so keys that are no longer
 * affected are enqueued too. Errors of the function propagate to the caller. controller-runtime's EnqueueRequestsFromMapFunc.
 */
export function mappedHandler<T extends KubeObject>(map: MapToKeys<T>): Handler<T> {
  return (change) =>
    requestsFor(
      change,
      "mapped",
      changeStates(change).flatMap((state) => [...map(state)]),
    );
}
