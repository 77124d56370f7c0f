/**
 * Waiting that can be called off. Everything here runs on a given clock, takes a signal, and leaves neither a timer nor a listener behind.
 *
 *     Clock → sleep → withTimeout, until, poll
 */
import type { Clock } from "./clock.ts";
import { jittered } from "./backoff.ts";
import type { Random } from "./random.ts";
import { TimeoutError } from "./timeout-error.ts";

export interface WaitOptions {
  /** Calls the wait off; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Resolves after `delayMs`; an infinite delay waits for the signal. Rejects at once, without a timer, when the signal
 * is aborted already.
 */
export function sleep(clock: Clock, delayMs: number, { signal }: WaitOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const abort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.timer(delayMs, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** A signal with a time limit. Whoever makes one releases it, or its timer and its listener stay behind until the time is up. */
export interface Deadline {
  /** Aborts with a `TimeoutError` when the time is up, or with the parent's reason. */
  readonly signal: AbortSignal;
  /** Removes the timer and the listener; the signal is then never aborted by this deadline. Doing it twice does no harm. */
  readonly release: () => void;
}

/** A signal that aborts after `timeoutMs`, or earlier with its parent. Prefer `withTimeout`, which releases it for you. */
export function deadline(clock: Clock, timeoutMs: number, { signal: parent }: WaitOptions = {}): Deadline {
  if (parent?.aborted === true) return { signal: AbortSignal.abort(parent.reason), release: () => undefined };
  const controller = new AbortController();
  const finish = (reason: unknown): void => {
    release();
    controller.abort(reason);
  };
  const follow = (): void => finish(parent?.reason);
  const cancel = clock.timer(timeoutMs, () => finish(new TimeoutError(`timed out after ${timeoutMs} ms`)));
  const release = (): void => {
    cancel();
    parent?.removeEventListener("abort", follow);
  };
  parent?.addEventListener("abort", follow, { once: true });
  return { signal: controller.signal, release };
}

/**
 * Runs `work` with a signal that aborts after `timeoutMs` and settles as the work settles.
 *
 * The work is not left behind: when time runs out it is told so by the signal (reason: a `TimeoutError`) and waited for. To stop waiting
 * for work that does not listen, wrap it in `abortable` and know that it goes on.
 */
export async function withTimeout<T>(
  clock: Clock,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  options: WaitOptions = {},
): Promise<T> {
  options.signal?.throwIfAborted();
  const { signal, release } = deadline(clock, timeoutMs, options);
  try {
    return await work(signal);
  } finally {
    release();
  }
}

/**
 * Settles like `promise`, or rejects with the signal's reason if that comes first. The promise itself goes on; what it
 * rejects with later is dropped.
 */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    const ended =
      <V>(settle: (value: V) => void) =>
      (value: V): void => {
        signal.removeEventListener("abort", abort);
        settle(value);
      };
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    promise.then(ended(resolve), ended(reject));
  });
}

export interface UntilOptions {
  /** The only ordinary end of the loop. */
  readonly signal: AbortSignal;
  /** Whether the period runs from the end of one call to the start of the next, instead of from start to start. @default true */
  readonly sliding?: boolean;
  /** Lengthens each period by a random part of up to `factor` times itself. @default not at all */
  readonly jitter?: { readonly factor: number; readonly random: Random };
}

/**
 * Calls `work` at once and then every `periodMs` until the signal is aborted, which resolves the promise; the signal is
 * looked at before every call.
 * Rejects with what `work` throws. Calls never overlap.
 */
export async function until(
  clock: Clock,
  periodMs: number,
  work: (signal: AbortSignal) => Promise<void> | void,
  options: UntilOptions,
): Promise<void> {
  const { signal, sliding = true, jitter } = options;
  while (!signal.aborted) {
    const period = jitter === undefined ? periodMs : jittered(periodMs, jitter.factor, jitter.random);
    const started = clock.monotonic();
    await work(signal);
    const rest = sliding ? period : period - (clock.monotonic() - started);
    if (!(await slept(clock, rest, signal))) return;
  }
}

async function slept(clock: Clock, delayMs: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(clock, delayMs, { signal });
    return true;
  } catch {
    return false;
  }
}

export interface PollOptions extends WaitOptions {
  /**
   * Milliseconds from one check to the next, counted from the start: a slow check does not shift the later ones, and
   * missed ones are not made up for.
   */
  readonly interval: number;
  /** Milliseconds until giving up with a `TimeoutError`. @default Infinity */
  readonly timeout?: number;
  /** Whether to check at once, even when the signal is aborted already, instead of after the first interval. @default false */
  readonly immediate?: boolean;
}

/**
 * Waits until `condition` holds. Rejects with what it throws, with the signal's reason, or with a `TimeoutError`.
 * A condition that is under way when time runs out is told by its signal and still decides: if it holds, so be it.
 */
export async function poll(
  clock: Clock,
  options: PollOptions,
  condition: (signal: AbortSignal) => Promise<boolean> | boolean,
): Promise<void> {
  const { interval, timeout = Infinity, immediate = false } = options;
  const { signal, release } = deadline(clock, timeout, options);
  const started = clock.monotonic();
  let tick = 1;
  try {
    if (immediate && (await condition(signal))) return;
    for (;;) {
      await sleep(clock, started + tick * interval - clock.monotonic(), { signal });
      tick = interval > 0 ? Math.floor((clock.monotonic() - started) / interval) + 1 : tick;
      if (await condition(signal)) return;
    }
  } finally {
    release();
  }
}
