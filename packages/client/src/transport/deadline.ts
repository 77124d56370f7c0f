/**
 * A time limit for a whole call: credentials, waiting, every attempt, and the body to its last byte.
 */
import type { Clock } from "@drover/machinery";
import { deadline } from "@drover/machinery";
import { guardedBody, isWhole } from "./guarded-body.ts";
import { attemptOf, isStream } from "./request-nature.ts";
import { trackSent } from "./request-sent.ts";
import { timedOut } from "./timed-out.ts";
import type { TransportWrapper } from "./wrapper.ts";

export interface CallDeadlineOptions {
  readonly clock: Clock;
  /** Milliseconds for the whole call; Infinity for no limit. */
  readonly timeoutMs: number;
}

/**
 * Ends a call that takes longer with a `TimeoutError` that names it, or with an `UnknownOutcomeError` for a write that may
 * have arrived. Does not limit watches and other streams. An abort of the caller's signal keeps its own reason.
 */
export function callDeadline({ clock, timeoutMs }: CallDeadlineOptions): TransportWrapper {
  return (next) => async (request) => {
    if (timeoutMs === Infinity || isStream(request)) return next(request);
    request.signal?.throwIfAborted();
    const { signal, release } = deadline(clock, timeoutMs, request.signal === undefined ? {} : { signal: request.signal });
    const { request: tracked, wasSent } = trackSent({ ...request, signal });
    const named = (error: unknown): unknown =>
      error === signal.reason && request.signal?.aborted !== true
        ? timedOut({ attempt: attemptOf(request), method: request.method, timeoutMs, wasSent: wasSent(), cause: error })
        : error;
    try {
      const response = await next(tracked);
      if (!isWhole(response.body)) return { ...response, body: guardedBody(response.body, { failed: named, over: release }) };
      release();
      return response;
    } catch (error) {
      release();
      throw named(error);
    }
  };
}
