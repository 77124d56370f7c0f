/** Work queue for controllers: hands out each key once, and never to two workers. This list is the public API; other files are internal. */

// The queue of Drover's controllers
export { createQueue } from "./queue.ts";
export type { Queue, QueueOptions } from "./queue.ts";
export type { DrainOptions } from "./drain.ts";
export type { AddOptions, Debounce, GetOptions, KeyReport, KeyState, Work } from "./work.ts";

// Rate limiters: how long retries wait
export { bucketRateLimiter } from "./bucket-rate-limiter.ts";
export { defaultControllerRateLimiter, defaultItemBasedRateLimiter } from "./default-rate-limiter.ts";
export { itemExponentialFailureRateLimiter, itemFastSlowRateLimiter, maxOfRateLimiter, withMaxWaitRateLimiter } from "./rate-limiter.ts";
export type { ItemExponentialFailureOptions, RateLimiter } from "./rate-limiter.ts";

// Building blocks of other queues, such as client-go's
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
