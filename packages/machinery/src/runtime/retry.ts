/** Retries with backoff. */
import { stepBackoff } from "./backoff.ts";
import type { Backoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";
import { TimeoutError } from "./timeout-error.ts";
import { sleep } from "./wait.ts";
import type { WaitOptions } from "./wait.ts";

export interface RetryOptions extends WaitOptions {
  readonly clock: Clock;
  /** Random source of the jitter. */
  readonly random: Random;
}

/**
 * Checks `condition` up to `backoff.steps` times, with the backoff's delays in between and none after the last. Rejects with what
 * it throws, with the signal's reason, or with a `TimeoutError` when the steps are used up (reaching the cap uses them up).
 */
export async function exponentialBackoff(
  backoff: Backoff,
  condition: () => Promise<boolean> | boolean,
  options: RetryOptions,
): Promise<void> {
  const { clock, random, signal } = options;
  let current = backoff;
  while ((current.steps ?? 0) > 0) {
    signal?.throwIfAborted();
    if (await condition()) return;
    const [delay, next] = stepBackoff(current, random);
    current = next;
    if ((current.steps ?? 0) > 0) await sleep(clock, delay, options);
  }
  throw new TimeoutError("timed out waiting for the condition");
}

/**
 * Runs `work` until it succeeds, fails with an error that is not retriable, or has used up the backoff's steps; runs it at least
 * once. Rejects with the last error of the work, or with the signal's reason.
 */
export async function retryOnError<T>(
  backoff: Backoff,
  isRetriable: (error: unknown) => boolean,
  work: () => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  options.signal?.throwIfAborted();
  let current = backoff;
  for (;;) {
    const [delay, next] = stepBackoff(current, options.random);
    current = next;
    try {
      return await work();
    } catch (error) {
      if ((current.steps ?? 0) < 1 || !isRetriable(error)) throw error;
    }
    await sleep(options.clock, delay, options);
  }
}
