/** The error of a call that did not finish within its time limit: the deadline of a request, of a client's call and of a REST request. */
import { TimeoutError, UnknownOutcomeError } from "@drover/machinery";
import { isSafe } from "./request-nature.ts";

/** A call that exceeded its time limit. */
export interface TimedOutCall {
  /** The operation: "update pods/web-0 in shop". */
  readonly attempt: string;
  /** The HTTP method. */
  readonly method: string;
  readonly timeoutMs: number;
  /** Whether the server may have received the request. */
  readonly wasSent: boolean;
  readonly cause: unknown;
}

/** Returns an `UnknownOutcomeError` for a write that was sent, since it may have happened; otherwise a `TimeoutError`. */
export function timedOut({ attempt, method, timeoutMs, wasSent, cause }: TimedOutCall): TimeoutError | UnknownOutcomeError {
  const why = `${wasSent ? "no complete answer" : "not sent"} within ${timeoutMs} ms`;
  if (wasSent && !isSafe({ method })) return new UnknownOutcomeError({ attempt, why, cause });
  return new TimeoutError(`${attempt}: ${why}`, { cause });
}
