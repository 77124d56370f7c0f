/**
 * What the object that changed means to others, by a function: a ConfigMap to all who mount it, a Node to the pods on it. What `watches`
 * watches with.
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import { changeStates } from "./change-states.ts";
import { requestsFor } from "./request.ts";
import type { Handler } from "./request.ts";

/** The keys that an object in this state concerns. Should look at nothing but the object and caches: it runs for every change. */
export type MapToKeys<T extends KubeObject = KubeObject> = (object: DeepReadonly<T>) => Iterable<ObjectKey>;

/**
 * Requests for the keys of the function, asked of the state before and the state after an update, so that those hear of it who are
 * concerned no longer. What the function throws goes to the caller. controller-runtime's EnqueueRequestsFromMapFunc.
 */
export function mappedHandler<T extends KubeObject>(map: MapToKeys<T>): Handler<T> {
  return (change) =>
    requestsFor(
      change,
      "mapped",
      changeStates(change).flatMap((state) => [...map(state)]),
    );
}
