/** When the server wants to be asked again. */
import type { HttpHeaders } from "@drover/machinery";
import { retryAfterSeconds } from "@drover/machinery";
import { firstHeader } from "./header-lines.ts";
import { parseHttpDate } from "./http-date.ts";

/**
 * Milliseconds until the moment in `Retry-After`, never below zero; undefined when there is none that can be read. A date counts from the
 * `Date` of the same answer, so that it does not matter whether our clock agrees with the server's; `nowMs` stands in when that is missing.
 */
export function retryAfterMs(headers: HttpHeaders, nowMs: number): number | undefined {
  const seconds = retryAfterSeconds(headers);
  if (seconds !== undefined) return Math.max(0, seconds) * 1000;
  const until = parseHttpDate(firstHeader(headers, "retry-after"));
  return until === undefined ? undefined : Math.max(0, until - (parseHttpDate(firstHeader(headers, "date")) ?? nowMs));
}
