/**
 * Parses when the server wants to be asked again.
 */
import type { HttpHeaders } from "@drover/machinery";
import { retryAfterSeconds } from "@drover/machinery";
import { firstHeader } from "./header-lines.ts";
import { parseHttpDate } from "./http-date.ts";

/**
 * Milliseconds until the time in `Retry-After`, never negative; undefined if absent or invalid. A date is relative to the
 * `Date` of the same response, so that clock skew does not matter; `nowMs` is used if that is missing.
 */
export function retryAfterMs(headers: HttpHeaders, nowMs: number): number | undefined {
  const seconds = retryAfterSeconds(headers);
  if (seconds !== undefined) return Math.max(0, seconds) * 1000;
  const until = parseHttpDate(firstHeader(headers, "retry-after"));
  return until === undefined ? undefined : Math.max(0, until - (parseHttpDate(firstHeader(headers, "date")) ?? nowMs));
}
