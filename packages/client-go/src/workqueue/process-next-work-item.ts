/**
 * The worker loop of client-go controllers: takes a key, syncs it, and retries it after a failure.
 *
 *     while (await processNextWorkItem(queue, syncHandler)) …
 */
import type { RateLimitingInterface } from "./rate-limiting-queue.ts";

/** Brings the object of a key to the desired state. If it throws, the key is added again, rate-limited. */
export type SyncHandler<K = string> = (key: K) => void | Promise<void>;

/** Options of `processNextWorkItem`. */
export interface ProcessOptions<K> {
  /** Retries of a key before it is dropped. @default Infinity */
  readonly maxRetries?: number;
  /** Called with the error of the sync handler, when the key is in the queue again; its own error rejects. @default no callback */
  readonly onError?: (error: unknown, key: K) => void;
  /** Stops waiting for the next key; the promise rejects with the signal's reason. @default no signal */
  readonly signal?: AbortSignal;
}

/** Delay of a key whose rate limiter failed, in milliseconds. */
const fallbackMs = 1000;

/**
 * Processes one key of the queue: `forget` after success, `addRateLimited` after a failure, `done` in both cases.
 * Resolves with false when the queue is shut down.
 *
 * Guarantees: no key is lost, whatever the sync handler, the callback and the rate limiter throw. A key whose rate limiter fails is
 * added again after a second, and the promise rejects with the limiter's error.
 */
export async function processNextWorkItem<K>(
  queue: RateLimitingInterface<K>,
  syncHandler: SyncHandler<K>,
  { maxRetries = Infinity, onError = () => undefined, signal }: ProcessOptions<K> = {},
): Promise<boolean> {
  const key = await queue.get(signal === undefined ? {} : { signal });
  if (key === undefined) return false;
  try {
    const failure = await failureOf(() => syncHandler(key));
    if (failure === undefined) {
      queue.forget(key);
      return true;
    }
    try {
      if (queue.numRequeues(key) < maxRetries) queue.addRateLimited(key);
      else queue.forget(key);
    } catch (error) {
      queue.addAfter(key, fallbackMs);
      throw error;
    } finally {
      onError(failure.error, key);
    }
  } finally {
    queue.done(key);
  }
  return true;
}

/** In a box: a handler may throw undefined. */
async function failureOf(work: () => void | Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return { error };
  }
}
