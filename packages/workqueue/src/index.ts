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

// Parts for queues with other names and promises
export { Alarm } from "./alarm.ts";
export { checkAddDelay } from "./delay-check.ts";
export { waitForDrain } from "./drain.ts";
export { Fifo } from "./fifo.ts";
export type { Placed } from "./fifo.ts";
export { Heap } from "./heap.ts";
export { QueueMetrics, retriesTotal } from "./metrics.ts";
export type { QueueMetricsOptions } from "./metrics.ts";
export type { QueueObserver } from "./queue-state.ts";
export { Waiters } from "./waiters.ts";
