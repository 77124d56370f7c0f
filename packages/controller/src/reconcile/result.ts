/**
 * Result of a reconcile: one of four forms.
 *
 *     reconcile → Result → settle: forget, wait, retry, or leave the key until the next event
 */
import { formatDuration, parseDuration } from "@drover/machinery";
import { errorMessage } from "./error-message.ts";

/** Nothing to do until the next event. Resets the failures of the key. */
export interface Done {
  readonly type: "done";
}

/** Runs the key again after a delay, even without an event. Resets the failures of the key. */
export interface After {
  readonly type: "after";
  readonly afterMs: number;
  /** Priority of that run. @default the priority of this run */
  readonly priority?: number;
}

/** The run failed: retries the key according to the controller's retry policy. A thrown error has the same effect. */
export interface Retry {
  readonly type: "retry";
  readonly error: unknown;
  /** Priority of the next attempt. @default the priority of this run */
  readonly priority?: number;
}

/**
 * The run cannot succeed until something changes: the key is not retried. Counts as an error and resets the failures of the key.
 * controller-runtime's TerminalError.
 */
export interface Stop {
  readonly type: "stop";
  /** Reason for people, shown in the log, on the tape and in `why`. */
  readonly reason: string;
}

/** Result of a reconcile. */
export type Result = Done | After | Retry | Stop;

/** Options of the next run. */
export interface AgainOptions {
  /** Priority of the next run. @default the priority of this run */
  readonly priority?: number;
}

/** Nothing to do until the next event. */
export const done: Done = Object.freeze({ type: "done" });

/**
 * Runs the key again after a delay: milliseconds, or a duration such as "90s" or "10m". Throws a RangeError if the delay is negative, NaN
 * or infinite.
 */
export function after(duration: number | string, options: AgainOptions = {}): After {
  const afterMs = typeof duration === "number" ? duration : parseDuration(duration);
  if (!(afterMs >= 0) || afterMs === Infinity)
    throw new RangeError(`after: ${String(duration)} is not a valid delay; use zero or more milliseconds or a duration such as "30s"`);
  return { type: "after", afterMs, ...options };
}

/** Returns a failed result: the key is retried. */
export function retry(error: unknown, options: AgainOptions = {}): Retry {
  return { type: "retry", error, ...options };
}

/** Returns a terminal result: the key is not retried until its next event. */
export function stop(reason: string): Stop {
  return { type: "stop", reason };
}

/** Returns "done", "again in 30s", "failed: …" or "stopped: …". */
export function printResult(result: Result): string {
  if (result.type === "done") return "done";
  if (result.type === "after") return `again in ${formatDuration(result.afterMs)}`;
  return result.type === "retry" ? `failed: ${errorMessage(result.error)}` : `stopped: ${result.reason}`;
}
