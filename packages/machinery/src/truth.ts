/**
 * And, or, not for questions: what can be waited for, which changes are worth a reconcile.
 *
 *     and(exists, conditionTrue("Available")), or(generationChanged, labelChanged)
 */

/** Anything that is asked of a value and answered with yes or no. */
export type Question<V> = (value: V) => boolean;

/** All of them hold; those behind the first that does not are not asked. Of none, this is true. */
export function and<V>(...questions: readonly Question<V>[]): Question<V> {
  return (value) => questions.every((holds) => holds(value));
}

/** One of them holds; those behind it are not asked. Of none, this is false. */
export function or<V>(...questions: readonly Question<V>[]): Question<V> {
  return (value) => questions.some((holds) => holds(value));
}

/**
 * It does not hold. Mind predicates that let additions and deletions through and look at updates only: `not(generationChanged)` hears of no
 * addition and no deletion.
 */
export function not<V>(question: Question<V>): Question<V> {
  return (value) => !question(value);
}
