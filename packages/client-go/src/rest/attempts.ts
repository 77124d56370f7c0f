/**
 * The transport of one request: applies the request's backoff and rate limit to each attempt. It does not retry: the `retry` wrapper in
 * the transport does.
 *
 *     backoff → Transport: attempt → retry → backoff, rate limiter → attempt …
 */
import { sleep } from "@drover/machinery";
import type { AttemptOutcome, Clock, Transport } from "@drover/machinery";
import { trackSent, whileUnsent } from "@drover/client";
import type { BackOffManager, RateLimiter } from "./request-sender.ts";

/** Settings of one request for its attempts. */
export interface AttemptsOptions {
  readonly clock: Clock;
  /** Maximum number of retries. @default the transport decides */
  readonly maxRetries?: number | undefined;
  /** Limits retries; the caller waits for the first attempt, before its deadline starts. @default no limit */
  readonly limiter?: Pick<RateLimiter, "wait"> | undefined;
  /** Delay before each attempt, including the pause that a retry takes anyway. @default no delay */
  readonly backOff?: BackOffManager | undefined;
}

/** Transport of one request, and whether the request was sent. */
export interface Attempts {
  readonly transport: Transport;
  /** Reports whether the server may have received the last attempt; false while the next one waits. */
  readonly wasSent: () => boolean;
}

/** Returns a transport for one request. */
export function attempts(base: Transport, { clock, maxRetries, limiter, backOff }: AttemptsOptions): Attempts {
  let wasSent = (): boolean => false;
  const transport: Transport = async (given) => {
    const tracked = trackSent(given);
    wasSent = tracked.wasSent;
    const { request } = tracked;
    const call = request.signal === undefined ? {} : { signal: request.signal };
    const tell = (outcome: AttemptOutcome): void => backOff?.updateBackoff(request.path, outcome);
    const hold = async (pausedMs: number): Promise<void> => {
      const backOffMs = (backOff?.calculateBackoff(request.path) ?? 0) - pausedMs;
      if (backOffMs > 0) await sleep(clock, backOffMs, call);
    };
    let isUnderWay = false;
    const beforeRetry = async (outcome: AttemptOutcome, pausedMs: number): Promise<void> => {
      isUnderWay = false;
      tell(outcome);
      await hold(pausedMs);
      await limiter?.wait(call);
      isUnderWay = true;
    };
    await whileUnsent(request, () => hold(0));
    isUnderWay = true;
    try {
      const response = await base({ ...request, beforeRetry, ...(maxRetries === undefined ? {} : { maxRetries }) });
      tell({ statusCode: response.status });
      return response;
    } catch (error) {
      if (isUnderWay) tell({ error });
      throw error;
    }
  };
  return { transport, wasSent: () => wasSent() };
}
