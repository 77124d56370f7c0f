/**
 * What came of a reconcile: one of four, and nothing else.
 *
 *     reconcile → Result → settle: forget, wait, try again, or leave it until something happens
 */
import { formatDuration, parseDuration } from "@drover/machinery";
import { errorMessage } from "./error-message.ts";

/** Nothing is left to do until something happens. Failures are forgotten. */
export interface Done {
  readonly type: "done";
}

/** Look again when the time has come, though nothing may have happened. Failures are forgotten. */
export interface After {
  readonly type: "after";
  readonly afterMs: number;
  /** The priority of that run. @default the one this run had */
  readonly priority?: number;
}

/** It failed: again, when the controller's retry policy says so. What a reconcile throws is the same. */
export interface Retry {
  readonly type: "retry";
  readonly error: unknown;
  /** The priority of the next attempt. @default the one this run had */
  readonly priority?: number;
}

/**
 * It cannot succeed until something changes: not tried again by itself. Counts as an error, and failures are forgotten.
 * controller-runtime's TerminalError.
 */
export interface Stop {
  readonly type: "stop";
  /** For people: it stands in the log, on the tape and in `why`. */
  readonly reason: string;
}

export type Result = Done | After | Retry | Stop;

/** How a run is to be repeated. */
export interface AgainOptions {
  /** @default the priority this run had */
  readonly priority?: number;
}

export const done: Done = Object.freeze({ type: "done" });

/**
 * Look again after this long: milliseconds, or words such as "90s" or "10m". Throws a RangeError for what is no time to
 * wait: negative, not a
 * number, without end.
 */
export function after(duration: number | string, options: AgainOptions = {}): After {
  const afterMs = typeof duration === "number" ? duration : parseDuration(duration);
  if (!(afterMs >= 0) || afterMs === Infinity)
    throw new RangeError(`after: ${String(duration)} is no time to wait; zero or more milliseconds, or words such as "30s"`);
  return { type: "after", afterMs, ...options };
}

export function retry(error: unknown, options: AgainOptions = {}): Retry {
  return { type: "retry", error, ...options };
}

export function stop(reason: string): Stop {
  return { type: "stop", reason };
}

/** For people: "done", "again in 30s", "failed: …", "stopped: …". */
export function printResult(result: Result): string {
  if (result.type === "done") return "done";
  if (result.type === "after") return `again in ${formatDuration(result.afterMs)}`;
  return result.type === "retry" ? `failed: ${errorMessage(result.error)}` : `stopped: ${result.reason}`;
}
