/**
 * A stream with every value changed. Unlike a generator around it, `return()` reaches the source at once, also while the next value is
 * waited for: that is how a watch is closed from outside its loop.
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
