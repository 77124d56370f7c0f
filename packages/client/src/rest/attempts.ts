/**
 * The transport of one request: repeated as often as it may be, each attempt waiting as it must.
 *
 *     retry → back-off → turn of the limiter → Transport
 */
import { sleep } from "@drover/machinery";
import type { Clock, Transport } from "@drover/machinery";
import { wrap } from "../transport/wrapper.ts";
import type { TransportWrapper } from "../transport/wrapper.ts";
import type { BackOffManager, RateLimiter } from "./request-sender.ts";

export interface AttemptsOptions {
  readonly clock: Clock;
  /** Repeats what may be repeated. @default nothing is repeated */
  readonly retry?: TransportWrapper | undefined;
  /** Waited for from the second attempt on; for the first the caller has waited, before its deadline began. @default no limit */
  readonly limiter?: RateLimiter | undefined;
  /** @default no waiting */
  readonly backOff?: BackOffManager | undefined;
}

export interface Attempts {
  readonly transport: Transport;
  /** Whether any attempt got as far as the wire. */
  readonly wasSent: () => boolean;
}

/** A transport for one request, and whether it was used. */
export function attempts(base: Transport, { clock, retry, limiter, backOff }: AttemptsOptions): Attempts {
  let started = 0;
  let sent = 0;
  const attempt: TransportWrapper = (next) => async (request) => {
    const call = request.signal === undefined ? {} : { signal: request.signal };
    const isFirst = started++ === 0;
    const backOffMs = backOff?.calculateBackoff(request.path) ?? 0;
    if (backOffMs > 0) await sleep(clock, backOffMs, call);
    if (!isFirst) await limiter?.wait(call);
    sent++;
    try {
      const response = await next(request);
      backOff?.updateBackoff(request.path, { statusCode: response.status });
      return response;
    } catch (error) {
      backOff?.updateBackoff(request.path, { error });
      throw error;
    }
  };
  return { transport: wrap(base, ...(retry === undefined ? [] : [retry]), attempt), wasSent: () => sent > 0 };
}
