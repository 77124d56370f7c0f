/**
 * Combinators for predicates: conditions to wait for, changes to reconcile.
 *
 *     and(exists, conditionTrue("Available")), or(generationChanged, labelChanged)
 */

/** A predicate on a value. */
export type Question<V> = (value: V) => boolean;

/** Returns a predicate that holds when all of them hold; stops at the first that does not. With none it is true. */
export function and<V>(...questions: readonly Question<V>[]): Question<V> {
  return (value) => questions.every((holds) => holds(value));
}

/** Returns a predicate that holds when any of them holds; stops at the first that does. With none it is false. */
export function or<V>(...questions: readonly Question<V>[]): Question<V> {
  return (value) => questions.some((holds) => holds(value));
}

/**
 * Returns the negation. Beware of predicates that pass additions and deletions and test only updates: `not(generationChanged)`
 * rejects every addition and deletion.
 */
export function not<V>(question: Question<V>): Question<V> {
  return (value) => !question(value);
}
