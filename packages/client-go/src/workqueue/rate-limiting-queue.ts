/**
 * client-go's rate-limiting queue: a delaying queue with a rate limiter.
 *
 *     addRateLimited → RateLimiter → addAfter → DelayingInterface
 */
import { newDelayingQueue } from "./delaying-queue.ts";
import type { DelayingInterface, DelayingQueueOptions } from "./delaying-queue.ts";
import type { RateLimiter } from "@drover/workqueue";

/** client-go's `RateLimitingInterface`. */
export interface RateLimitingInterface<K> extends DelayingInterface<K> {
  /** Adds the key after the rate limiter's delay. */
  addRateLimited(key: K): void;
  /** Resets the limiter for a key that succeeded or is given up. Call `done` as well. */
  forget(key: K): void;
  /** Returns the number of calls of `addRateLimited` for the key since the last `forget`. */
  numRequeues(key: K): number;
}

/** Options of `newRateLimitingQueue`. */
export interface RateLimitingQueueOptions<K> extends Omit<DelayingQueueOptions<K>, "queue"> {
  /** Delaying queue to build on. @default a new queue with the same options */
  readonly delayingQueue?: DelayingInterface<K>;
}

/** client-go's NewRateLimitingQueue and NewRateLimitingQueueWithConfig. */
export function newRateLimitingQueue<K = string>(
  rateLimiter: RateLimiter<NoInfer<K>>,
  { delayingQueue, ...options }: RateLimitingQueueOptions<K>,
): RateLimitingInterface<K> {
  const queue = delayingQueue ?? newDelayingQueue(options);
  return {
    add: (key) => queue.add(key),
    addAfter: (key, afterMs) => queue.addAfter(key, afterMs),
    addRateLimited: (key) => queue.addAfter(key, rateLimiter.when(key)),
    cancel: (key) => queue.cancel(key),
    done: (key) => queue.done(key),
    forget: (key) => rateLimiter.forget(key),
    get: (getOptions) => queue.get(getOptions),
    len: () => queue.len(),
    numRequeues: (key) => rateLimiter.numRequeues(key),
    shutDown: () => queue.shutDown(),
    shutDownWithDrain: (drainOptions) => queue.shutDownWithDrain(drainOptions),
    shuttingDown: () => queue.shuttingDown(),
    tryGet: () => queue.tryGet(),
    waitingLen: () => queue.waitingLen(),
  };
}

/** client-go's NewNamedRateLimitingQueue. */
export function newNamedRateLimitingQueue<K = string>(
  rateLimiter: RateLimiter<NoInfer<K>>,
  name: string,
  options: Omit<RateLimitingQueueOptions<K>, "name">,
): RateLimitingInterface<K> {
  return newRateLimitingQueue(rateLimiter, { ...options, name });
}
