/**
 * Retries when the server asks for it, and when the connection of a repeatable request was lost.
 *
 *     answer with Retry-After, or TransportError → wait → the same request once more
 */
import type { Clock, HttpRequest, HttpResponse, Log, Random } from "@drover/machinery";
import { definedOnly, jittered, sleep } from "@drover/machinery";
import { dropBody } from "./dropped-body.ts";
import { isWhole } from "./guarded-body.ts";
import { attemptOf, isSafe } from "./request-nature.ts";
import { whileUnsent } from "./request-sent.ts";
import { retryAfterMs } from "./retry-after.ts";
import { TransportError, isTransportError } from "./transport-error.ts";
import type { TransportWrapper } from "./wrapper.ts";

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Maximum retries of a request. @default 10 */
  readonly retriesMax?: number;
  /** Maximum delay between two attempts, also if the server asks for more. @default 1 minute */
  readonly waitMaxMs?: number;
  /** Delay after a lost connection. A stale one, which turns out to be closed when it is reused, is replaced at once. @default 1 second */
  readonly lostConnectionWaitMs?: number;
}

/** Extends every delay by up to a tenth, so that many clients do not return at the same time. */
const jitter = 0.1;
/** How much of a discarded body is read to keep its connection. */
const drainBytesMax = 2048;

/**
 * Retries a request
 * - if the response is 429 or 5xx with a `Retry-After` of whole seconds or a date, for any verb: the server did not execute
 *   it;
 * - if the connection was reset or closed, and the request only reads or none of it was written.
 *
 * Never retries a request whose body is a stream, a refused connection, or a write that may have arrived. Returns the last
 * response or throws the last error; if an earlier attempt failed differently, the message includes that failure.
 *
 * A request may set its own limit (`maxRetries`) and its own wait (`beforeRetry`). Of nested retry wrappers only the
 * outermost retries: it sets `maxRetries` of the request it passes on to 0.
 */
export function retry({
  clock,
  random,
  log,
  retriesMax = 10,
  waitMaxMs = 60_000,
  lostConnectionWaitMs = 1000,
}: RetryOptions): TransportWrapper {
  return (next) => async (given) => {
    const { maxRetries = retriesMax, beforeRetry } = given;
    const request = { ...given, maxRetries: 0 };
    const canRepeat = isWhole(request.body);
    let before: unknown;
    for (let attempt = 1; ; attempt++) {
      let outcome: Outcome;
      try {
        outcome = { kind: "answer", response: await next(request) };
      } catch (error) {
        outcome = { kind: "error", error };
      }
      const waitMs =
        canRepeat && attempt <= maxRetries ? waitAfter(outcome, request, { before, lostConnectionWaitMs, nowMs: clock.now() }) : undefined;
      if (waitMs === undefined) return settled(outcome, before, attempt);
      log.debug("retrying the request", {
        request: attemptOf(request),
        attempt,
        waitMs,
        ...(outcome.kind === "answer" ? { status: outcome.response.status } : { error: outcome.error }),
      });
      if (outcome.kind === "error") before = outcome.error;
      // An attempt that is retried had no effect, so an abort during the delay has a known outcome.
      await whileUnsent(request, async () => {
        if (outcome.kind === "answer") await dropBody(outcome.response, drainBytesMax);
        const wait = jittered(Math.min(waitMs, waitMaxMs), jitter, random);
        if (wait > 0) await sleep(clock, wait, definedOnly({ signal: request.signal }));
        request.signal?.throwIfAborted();
        await beforeRetry?.(outcome.kind === "answer" ? { statusCode: outcome.response.status } : { error: outcome.error }, wait);
      });
    }
  };
}

type Outcome = { readonly kind: "answer"; readonly response: HttpResponse } | { readonly kind: "error"; readonly error: unknown };

/** Returns the milliseconds until the next attempt, or undefined if there is none. */
function waitAfter(
  outcome: Outcome,
  request: HttpRequest,
  { before, lostConnectionWaitMs, nowMs }: { readonly before: unknown; readonly lostConnectionWaitMs: number; readonly nowMs: number },
): number | undefined {
  if (outcome.kind === "answer") {
    const { status, headers } = outcome.response;
    return status === 429 || status >= 500 ? retryAfterMs(headers, nowMs) : undefined;
  }
  const { error } = outcome;
  if (!isTransportError(error) || (error.reason !== "reset" && error.reason !== "aborted-by-peer")) return undefined;
  if (error.sent !== "no" && !isSafe(request)) return undefined;
  return error.reused && before === undefined ? 0 : lostConnectionWaitMs;
}

function settled(outcome: Outcome, before: unknown, attempt: number): HttpResponse {
  if (outcome.kind === "answer") return outcome.response;
  const { error } = outcome;
  if (!isTransportError(error) || !isTransportError(before) || before.message === error.message) throw error;
  const { reason, sent, timeout, reused, code } = error;
  throw new TransportError(`${error.message} (attempt ${attempt}; an earlier one failed differently: ${before.message})`, {
    reason,
    sent,
    reused,
    cause: error,
    ...definedOnly({ timeout, code }),
  });
}
