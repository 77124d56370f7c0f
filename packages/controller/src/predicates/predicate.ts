/**
 * Decides which changes reach the handler.
 *
 *     Change<T> → Predicate<T> → Handler<T> → keys
 *
 * Predicates save queue entries; they do not make the cache smaller. A change is only a hint: a reconcile reads the whole state.
 */
import type { Change } from "@drover/cache";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** Reports whether a change reaches the handler. Pure: the same change always gives the same answer. */
export type Predicate<T extends KubeObject = KubeObject> = (change: Change<T>) => boolean;

/** How a predicate on an object treats an update, which has two states. */
export interface ObjectPredicateOptions {
  /**
   * Whether an update also passes if only the state before it met the test, so that the controller sees the object once more when it stops
   * matching. @default false, as in controller-runtime: only the state after the update counts
   */
  readonly orBefore?: boolean;
}

/**
 * Returns a predicate on the object of a change: the new object of an addition or update, the last known state of a deletion.
 * controller-runtime's NewPredicateFuncs.
 */
export function objectPredicate<T extends KubeObject>(
  test: (object: DeepReadonly<T>) => boolean,
  { orBefore = false }: ObjectPredicateOptions = {},
): Predicate<T> {
  return (change) => test(change.object) || (orBefore && change.type === "updated" && test(change.before));
}
