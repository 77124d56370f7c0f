/**
 * Maps the values of a stream. Unlike in a generator around it, `return()` reaches the source at once, also while the next
 * value is pending, so that a watch can be closed from outside its loop.
 */
export function mappedIterator<A, B>(
  source: AsyncIterableIterator<A, void, undefined>,
  change: (value: A) => B,
): AsyncIterableIterator<B, void, undefined> {
  return {
    next: async () => {
      const step = await source.next();
      return step.done === true ? { done: true, value: undefined } : { done: false, value: change(step.value) };
    },
    return: async () => {
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
