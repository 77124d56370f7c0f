/** Keys in, each key once out, never two workers on one. What stands here is a promise; the rest is ours to change. */

// The queue with everything
export { createQueue } from "./queue.ts";
export type { Queue, QueueOptions } from "./queue.ts";
export type { DrainOptions } from "./drain.ts";
export type { AddOptions, Debounce, GetOptions, KeyReport, KeyState, Work } from "./work.ts";

// How long retries wait
export { bucketRateLimiter } from "./bucket-rate-limiter.ts";
export { defaultControllerRateLimiter, defaultItemBasedRateLimiter } from "./default-rate-limiter.ts";
export { itemExponentialFailureRateLimiter, itemFastSlowRateLimiter, maxOfRateLimiter, withMaxWaitRateLimiter } from "./rate-limiter.ts";
export type { ItemExponentialFailureOptions, RateLimiter } from "./rate-limiter.ts";

// client-go's queues under their names
export { newQueue } from "./classic-queue.ts";
export type { ClassicQueueOptions, Interface } from "./classic-queue.ts";
export type { QueueOrder } from "./classic-queue-state.ts";
export { newDelayingQueue } from "./delaying-queue.ts";
export type { DelayingInterface, DelayingQueueOptions } from "./delaying-queue.ts";
export { newNamedRateLimitingQueue, newRateLimitingQueue } from "./rate-limiting-queue.ts";
export type { RateLimitingInterface, RateLimitingQueueOptions } from "./rate-limiting-queue.ts";
export { parallelizeUntil } from "./parallelize-until.ts";
export type { ParallelizeOptions } from "./parallelize-until.ts";
