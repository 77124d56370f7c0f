/** Iterates over a feed. Written without a generator, whose cost adds up with a thousand readers of one write. */
import type { Feed } from "./feed.ts";

interface Waiting<T> {
  readonly resolve: (result: IteratorResult<T, void>) => void;
  readonly reject: (error: unknown) => void;
}

/** Guarantees: results arrive in the order of the calls to `next`, and `return` waits for nothing. */
export function feedIterator<T>(feed: Feed<T>): AsyncIterator<T, void> {
  const waiting: Waiting<T>[] = [];
  const serve = (): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      try {
        const value = feed.take();
        if (value === undefined && !feed.isOver) return;
        first.resolve(value === undefined ? over() : { done: false, value });
      } catch (error) {
        first.reject(error);
      }
      waiting.shift();
    }
  };
  feed.onNews(serve);
  return {
    next: () =>
      new Promise((resolve, reject) => {
        // Earlier calls are served by `onNews`.
        if (waiting.push({ resolve, reject }) === 1) serve();
      }),
    return: () => {
      feed.dismiss();
      for (const { resolve } of waiting.splice(0)) resolve(over());
      return Promise.resolve(over());
    },
  };
}

const over = (): IteratorResult<never, void> => ({ done: true, value: undefined });
