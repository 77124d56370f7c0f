/** Ages in kubectl's notation. Times are milliseconds since 1970. */
import { humanDuration, parseTime } from "@drover/machinery";
import type { Time } from "@drover/machinery";

/** Go's durations are int64 nanoseconds; longer ones saturate. */
const durationMsMax = 2 ** 63 / 1_000_000;

/** Returns the age of a `Time` or `MicroTime`; "<unknown>" if unset. */
export function ageOf(time: Time | null | undefined, now: number): string {
  return time === undefined || time === null ? "<unknown>" : elapsed(parseTime(time), now);
}

/** Returns the duration between two times. */
export const elapsed = (from: number, to: number): string => humanDuration(Math.min(to - from, durationMsMax));
