/** A limit on the whole of a call: credentials, waiting, every attempt, and the body to its last byte. */
import type { Clock, HttpBody, HttpRequest } from "@drover/machinery";
import { TimeoutError, UnknownOutcomeError, deadline } from "@drover/machinery";
import { attemptOf, isSafe, isStream } from "./request-nature.ts";
import type { TransportWrapper } from "./wrapper.ts";

export interface CallDeadlineOptions {
  readonly clock: Clock;
  /** Milliseconds for the whole call; Infinity for none. */
  readonly timeoutMs: number;
}

/**
 * Ends a call that takes longer, with a `TimeoutError` that names it; a write, which may have arrived by then, with an
 * `UnknownOutcomeError`. Watches and other streams are left alone. The caller's own signal passes through with its own reason.
 */
export function callDeadline({ clock, timeoutMs }: CallDeadlineOptions): TransportWrapper {
  return (next) => async (request) => {
    if (timeoutMs === Infinity || isStream(request)) return next(request);
    request.signal?.throwIfAborted();
    const { signal, release } = deadline(clock, timeoutMs, request.signal === undefined ? {} : { signal: request.signal });
    const named = (error: unknown): unknown => (error instanceof TimeoutError && error === signal.reason && request.signal?.aborted !== true ? timedOut(request, timeoutMs, error) : error);
    try {
      const response = await next({ ...request, signal });
      if (typeof response.body === "string" || response.body instanceof Uint8Array) {
        release();
        return response;
      }
      return { ...response, body: limited(response.body, release, named) };
    } catch (error) {
      release();
      throw named(error);
    }
  };
}

function timedOut(request: HttpRequest, timeoutMs: number, cause: unknown): Error {
  if (isSafe(request)) return new TimeoutError(`${attemptOf(request)}: not done after ${timeoutMs} ms`, { cause });
  return new UnknownOutcomeError({ attempt: attemptOf(request), why: `no complete answer after ${timeoutMs} ms`, cause });
}

function limited(body: Exclude<HttpBody, string | Uint8Array>, release: () => void, named: (error: unknown) => unknown): Exclude<HttpBody, string | Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          try {
            const result = await iterator.next();
            if (result.done === true) release();
            return result;
          } catch (error) {
            release();
            throw named(error);
          }
        },
        return: async () => {
          release();
          return (await iterator.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
