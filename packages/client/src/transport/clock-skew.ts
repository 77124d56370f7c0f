/**
 * Detects clock skew between client and server. Nothing depends on the server's time, but the log line explains why tokens
 * and certificates seem expired or not yet valid.
 */
import type { Clock, Log } from "@drover/machinery";
import { firstHeader } from "./header-lines.ts";
import { parseHttpDate } from "./http-date.ts";
import type { TransportWrapper } from "./wrapper.ts";

export interface ClockSkewOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Names the server in the log. */
  readonly host: string;
  /** Maximum skew. The response may have been in transit for a while, so a few seconds mean nothing. @default 1 minute */
  readonly skewMaxMs?: number;
}

/**
 * Logs a warning if the `Date` of a response is too far from our time: once, and again only after both agreed in between.
 * Does not change responses.
 */
export function clockSkew({ clock, log, host, skewMaxMs = 60_000 }: ClockSkewOptions): TransportWrapper {
  let isSkewed = false;
  return (next) => async (request) => {
    const response = await next(request);
    const serverMs = parseHttpDate(firstHeader(response.headers, "date"));
    if (serverMs === undefined) return response;
    const skewMs = Math.round(clock.now() - serverMs);
    const wasSkewed = isSkewed;
    isSkewed = Math.abs(skewMs) > skewMaxMs;
    if (isSkewed && !wasSkewed)
      log.warn(
        `this machine's clock is ${skewMs > 0 ? "ahead of" : "behind"} the server's; tokens and certificates may seem expired or not yet valid`,
        { host, skewMs, code: "DRV0340" },
      );
    return response;
  };
}
