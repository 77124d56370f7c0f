/**
 * Notices when our clock and the server's disagree. Nothing here decides by the server's time; but tokens and certificates that seem to be
 * expired, or not valid yet, are a riddle without this line in the log.
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
  /** How far apart the clocks may be. An answer may have been on its way for a while, so a few seconds mean nothing. @default 1 minute */
  readonly skewMaxMs?: number;
}

/**
 * Warns when the `Date` of an answer is too far from our time: once, and again only after both had agreed in between.
 * Answers pass unchanged.
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
        `this machine's clock is ${skewMs > 0 ? "ahead of" : "behind"} the server's; tokens and certificates may seem expired or not valid yet`,
        { host, skewMs },
      );
    return response;
  };
}
