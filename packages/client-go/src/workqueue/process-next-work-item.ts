/**
 * The loop of every controller in the documents: take a key, sync it, retry it later when that fails.
 *
 *     while (await processNextWorkItem(queue, syncHandler)) …
 */
import type { RateLimitingInterface } from "./rate-limiting-queue.ts";

/** Brings what a key stands for to the desired state. What it throws makes the key come again, rate-limited. */
export type SyncHandler<K = string> = (key: K) => void | Promise<void>;

export interface ProcessOptions<K> {
  /** Retries of a key before it is dropped. @default Infinity */
  readonly maxRetries?: number;
  /** Is called with what the sync handler threw. @default no callback */
  readonly onError?: (error: unknown, key: K) => void;
  /** Stops waiting for the next key; rejects with its reason. @default waits until the queue is shut down */
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
