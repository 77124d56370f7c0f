/** Timestamps of objects as numbers: an unset one is undefined, not 1970. */
import { parseTime } from "@drover/machinery";

/** Milliseconds since 1970; undefined for an unset timestamp. */
export function timeMs(time: string | null | undefined): number | undefined {
  return time === undefined || time === null ? undefined : parseTime(time);
}
