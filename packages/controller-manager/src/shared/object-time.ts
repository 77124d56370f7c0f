/** Times of objects as numbers: what the server has not set is no time at all, not 1970. */
import { parseTime } from "@drover/machinery";

/** Milliseconds since 1970; undefined for a time that is not set. */
export function timeMs(time: string | null | undefined): number | undefined {
  return time === undefined || time === null ? undefined : parseTime(time);
}
