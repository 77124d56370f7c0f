/**
 * Tries again when the server asks for it, and when a connection was lost under a request that may be repeated.
 *
 *     answer with Retry-After, or TransportError → wait → the same request once more
 */
import type { Clock, HttpRequest, HttpResponse, Log, Random, Transport } from "@drover/machinery";
import { jittered, sleep } from "@drover/machinery";
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
  /** How often a request is repeated at most. @default 10 */
  readonly retriesMax?: number;
  /** The longest wait between two attempts; a server that asks for more gets this. @default 1 minute */
  readonly waitMaxMs?: number;
  /**
   * How long to wait after a lost connection. A stale one, found closed when it was to be used again, is replaced at
   * once. @default 1 second
   */
  readonly lostConnectionWaitMs?: number;
}

/** Lengthens every wait by up to a tenth, so that many clients do not come back at the same moment. */
const jitter = 0.1;
/** As much of an unwanted body as is read to keep its connection. */
const drainBytesMax = 2048;

/**
 * Repeats a request
 * - when the answer is 429 or 5xx with a `Retry-After` of whole seconds or a date, whatever the verb: the server says it did nothing;
 * - when the connection was reset or closed, if the request only reads or not a byte of it was written.
 *
 * Never repeats a request whose body is a stream, a refused connection, or a write that may have arrived. The last answer, or the last
 * error, is handed on; if an earlier attempt failed differently, the message says how.
 *
 * A request may say itself how often (`maxRetries`) and wait with us (`beforeRetry`). Of several such wrappers around one another only the
 * outermost repeats: what it hands on may not be repeated any more.
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
      const outcome = await attempted(next, request);
      const waitMs =
        canRepeat && attempt <= maxRetries ? waitAfter(outcome, request, { before, lostConnectionWaitMs, nowMs: clock.now() }) : undefined;
      if (waitMs === undefined) return settled(outcome, before, attempt);
      log.debug("trying again", {
        request: attemptOf(request),
        attempt,
        waitMs,
        ...(outcome.kind === "answer" ? { status: outcome.response.status } : { error: outcome.error }),
      });
      if (outcome.kind === "error") before = outcome.error;
      // An attempt that is to be repeated has done nothing, so whoever calls this off knows where it stands.
      await whileUnsent(request, async () => {
        if (outcome.kind === "answer") await dropBody(outcome.response, drainBytesMax);
        const wait = jittered(Math.min(waitMs, waitMaxMs), jitter, random);
        if (wait > 0) await sleep(clock, wait, request.signal === undefined ? {} : { signal: request.signal });
        request.signal?.throwIfAborted();
        await beforeRetry?.(outcome.kind === "answer" ? { statusCode: outcome.response.status } : { error: outcome.error }, wait);
      });
    }
  };
}

type Outcome = { readonly kind: "answer"; readonly response: HttpResponse } | { readonly kind: "error"; readonly error: unknown };

async function attempted(next: Transport, request: HttpRequest): Promise<Outcome> {
  try {
    return { kind: "answer", response: await next(request) };
  } catch (error) {
    return { kind: "error", error };
  }
}

/** Milliseconds until the next attempt, or undefined when there is to be none. */
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
  throw new TransportError(`${error.message} (attempt ${attempt}; one before failed differently: ${before.message})`, {
    reason,
    sent,
    reused,
    cause: error,
    ...(timeout === undefined ? {} : { timeout }),
    ...(code === undefined ? {} : { code }),
  });
}
