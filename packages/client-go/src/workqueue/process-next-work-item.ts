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
  /** Called with the error of the sync handler. @default no callback */
  readonly onError?: (error: unknown, key: K) => void;
  /** Stops waiting for the next key; the promise rejects with the signal's reason. @default no signal */
  readonly signal?: AbortSignal;
}

/**
 * Processes one key of the queue: `forget` after success, `addRateLimited` after a failure, `done` in both cases.
 * Resolves with false when the queue is shut down.
 */
export async function processNextWorkItem<K>(
  queue: RateLimitingInterface<K>,
  syncHandler: SyncHandler<K>,
  { maxRetries = Infinity, onError = () => undefined, signal }: ProcessOptions<K> = {},
): Promise<boolean> {
  const key = await queue.get(signal === undefined ? {} : { signal });
  if (key === undefined) return false;
  try {
    await syncHandler(key);
    queue.forget(key);
  } catch (error) {
    onError(error, key);
    if (queue.numRequeues(key) < maxRetries) queue.addRateLimited(key);
    else queue.forget(key);
  } finally {
    queue.done(key);
  }
  return true;
}
