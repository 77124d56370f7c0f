/**
 * Which changes are worth a reconcile. A predicate looks at one change and says whether it goes on to the handler.
 *
 *     Change<T> → Predicate<T> → Handler<T> → keys
 *
 * Predicates keep keys from being queued; they do not make the cache smaller. What comes through a predicate is a hint and no more: a
 * reconcile still looks at the whole state.
 */
import type { Change } from "@drover/cache";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** Whether a change goes on. Pure: the same change gets the same answer, however often it is asked. */
export type Predicate<T extends KubeObject = KubeObject> = (change: Change<T>) => boolean;

/** How a predicate about an object treats an update, which has two. */
export interface ObjectPredicateOptions {
  /**
   * Whether an update also goes on when the state before it met the test, so that an object which ceases to meet it is heard of once more.
   * @default false, as in controller-runtime: only the state after the update counts
   */
  readonly orBefore?: boolean;
}

/**
 * A predicate about the object itself, whatever happened to it: of an addition the new object, of a deletion the last state known, of an
 * update the state after it. controller-runtime's NewPredicateFuncs.
 */
export function objectPredicate<T extends KubeObject>(
  test: (object: DeepReadonly<T>) => boolean,
  { orBefore = false }: ObjectPredicateOptions = {},
): Predicate<T> {
  return (change) => test(change.object) || (orBefore && change.type === "updated" && test(change.before));
}
