/**
 * The transport of one request: waits as the request says before its first attempt, and goes along with every further one. Repeating is
 * not done here but by the `retry` wrapper, wherever that stands in the transport.
 *
 *     back-off → Transport: attempt → retry → back-off, turn of the limiter → attempt …
 */
import { sleep } from "@drover/machinery";
import type { AttemptOutcome, Clock, Transport } from "@drover/machinery";
import { trackSent, whileUnsent } from "@drover/client";
import type { BackOffManager, RateLimiter } from "./request-sender.ts";

/** What one request asks of its attempts. */
export interface AttemptsOptions {
  readonly clock: Clock;
  /** How often the request may be repeated. @default as the transport decides */
  readonly maxRetries?: number | undefined;
  /** Waited for from the second attempt on; for the first the caller has waited, before its deadline began. @default no limit */
  readonly limiter?: Pick<RateLimiter, "wait"> | undefined;
  /** Says how long to wait before each attempt; the pause that a repetition takes anyway counts. @default no waiting */
  readonly backOff?: BackOffManager | undefined;
}

/** The way of one request, and how far it got. */
export interface Attempts {
  readonly transport: Transport;
  /** Whether the server may have seen the last attempt; false again while the next is waited for. */
  readonly wasSent: () => boolean;
}

/** A transport for one request, and whether it was used. */
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
