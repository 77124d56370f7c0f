/** How long ago something was, for people. Moments are milliseconds since 1970. */
import { humanDuration, parseTime } from "@drover/machinery";
import type { Time } from "@drover/machinery";

/** Go counts durations in nanoseconds of 64 bits; longer ones it takes for the longest. */
const durationMsMax = 2 ** 63 / 1_000_000;

/** The time since then, a `Time` or a `MicroTime`; "<unknown>" for one that is not set. */
export function ageOf(time: Time | null | undefined, now: number): string {
  return time === undefined || time === null ? "<unknown>" : elapsed(parseTime(time), now);
}

/** The time from one moment to another. */
export const elapsed = (from: number, to: number): string => humanDuration(Math.min(to - from, durationMsMax));
