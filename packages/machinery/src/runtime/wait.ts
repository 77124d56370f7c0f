/**
 * Cancellable waits. Everything here uses a given clock, takes a signal, and leaves neither a timer nor a listener behind.
 *
 *     Clock → sleep → withTimeout, until, poll
 */
import type { Clock } from "./clock.ts";
import { jittered } from "./backoff.ts";
import type { Random } from "./random.ts";
import { TimeoutError } from "./timeout-error.ts";

export interface WaitOptions {
  /** Cancels the wait; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Resolves after `delayMs`; an infinite delay waits for the signal. Rejects at once, without a timer, when the signal is already
 * aborted.
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

/** A signal with a time limit. Its creator must release it, or its timer and listener stay until the time is up. */
export interface Deadline {
  /** Aborts with a `TimeoutError` when the time is up, or with the parent's reason. */
  readonly signal: AbortSignal;
  /** Removes the timer and the listener; this deadline then never aborts the signal. May be called twice. */
  readonly release: () => void;
}

/** Returns a signal that aborts after `timeoutMs`, or earlier with its parent. Prefer `withTimeout`, which releases it for you. */
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
 * Runs `work` with a signal that aborts after `timeoutMs`, and settles as the work settles.
 *
 * A timeout aborts the signal (reason: a `TimeoutError`), and the work is still awaited. To stop waiting for work that ignores its
 * signal, wrap it in `abortable`; the work then continues.
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
 * Settles like `promise`, or rejects with the signal's reason if that comes first. The promise itself continues; its later
 * rejection is dropped.
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
  /** The only regular end of the loop. */
  readonly signal: AbortSignal;
  /** Whether the period runs from the end of one call to the start of the next, instead of from start to start. @default true */
  readonly sliding?: boolean;
  /** Lengthens each period by a random part of up to `factor` times itself. @default no jitter */
  readonly jitter?: { readonly factor: number; readonly random: Random };
}

/**
 * Calls `work` at once and then every `periodMs` until the signal is aborted, which resolves the promise; checks the signal before
 * every call. Rejects with what `work` throws. Calls never overlap.
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
  /** Milliseconds between checks, counted from the start: a slow check does not shift later ones, and missed ones are skipped. */
  readonly interval: number;
  /** Milliseconds until a `TimeoutError`. @default Infinity */
  readonly timeout?: number;
  /** Whether to check at once, even when the signal is already aborted, instead of after the first interval. @default false */
  readonly immediate?: boolean;
}

/**
 * Waits until `condition` holds. Rejects with what it throws, with the signal's reason, or with a `TimeoutError`. A check in
 * progress at the timeout gets an aborted signal and still counts if it holds.
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
