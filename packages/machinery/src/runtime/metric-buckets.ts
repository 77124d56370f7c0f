/** Bucket bounds for histograms: those that dashboards for client-go and controller-runtime expect, and functions to create others. */

/** Returns `count` bounds that start at `start` and grow by `factor`. */
export function exponentialBuckets(start: number, factor: number, count: number): readonly number[] {
  if (!(start > 0) || !(factor > 1) || !(count >= 1))
    throw new RangeError("exponentialBuckets: start must be positive, factor above 1, count at least 1");
  const bounds: number[] = [];
  // Multiplied step by step, not as a power: existing dashboards contain the rounding of each step.
  for (let bound = start; bounds.length < count; bound *= factor) bounds.push(bound);
  return bounds;
}

/** Returns `count` bounds that start at `start`, each `width` above the previous one. */
export function linearBuckets(start: number, width: number, count: number): readonly number[] {
  if (!(width > 0) || !(count >= 1)) throw new RangeError("linearBuckets: width must be positive, count at least 1");
  const bounds: number[] = [];
  for (let bound = start; bounds.length < count; bound += width) bounds.push(bound);
  return bounds;
}

/** Seconds, for `controller_runtime_reconcile_time_seconds`. */
export const reconcileTimeBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5,
  5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
/** Seconds from 10 ns to 1,000 s, for `workqueue_queue_duration_seconds`, `workqueue_work_duration_seconds` and webhook latencies. */
export const workqueueDurationBuckets: readonly number[] = exponentialBuckets(10e-9, 10, 12);
/** Seconds, for `rest_client_request_duration_seconds` and the like. */
export const restClientDurationBuckets: readonly number[] = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
/** Bytes, for `rest_client_request_size_bytes` and `rest_client_response_size_bytes`. */
export const restClientSizeBuckets: readonly number[] = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216];
