/** Timestamps and durations: parsed, printed, and split into calendar fields. */
import { civilDate, dayNumber, parseDurationNanos, parseRfc3339 } from "@drover/machinery";
import { failure } from "./failure.ts";
import type { CelFailure } from "./failure.ts";
import { duration } from "./value.ts";
import type { CelDuration, CelTimestamp } from "./value.ts";

const nanosPerSecond = 1_000_000_000n;
/** From year 1 to the end of year 9999. */
const secondsMin = -62_135_596_800n;
const secondsMax = 253_402_300_799n;

export const timestamp = (nanos: bigint, offsetMinutes = 0): CelTimestamp => ({ kind: "timestamp", nanos, offsetMinutes });

/** Returns a duration that fits 64 bits of nanoseconds, else a failure. */
export function checkedDuration(nanos: bigint): CelDuration | CelFailure {
  return BigInt.asIntN(64, nanos) === nanos ? duration(nanos) : failure("duration overflow");
}

/** Returns a timestamp within years 1 to 9999, else a failure. */
export function checkedTimestamp(nanos: bigint, offsetMinutes = 0): CelTimestamp | CelFailure {
  const seconds = floorDivide(nanos, nanosPerSecond);
  return seconds < secondsMin || seconds > secondsMax ? failure("timestamp overflow") : timestamp(nanos, offsetMinutes);
}

/** Parses RFC 3339; undefined for other text. */
export function readTimestamp(text: string): CelTimestamp | CelFailure | undefined {
  try {
    const { seconds, nanos } = parseRfc3339(text, { fraction: "any" });
    const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
    const offset = Number(hours) * 60 + Number(minutes);
    return checkedTimestamp(BigInt(seconds) * nanosPerSecond + BigInt(nanos), sign === "-" ? -offset : offset);
  } catch {
    return undefined;
  }
}

/** Parses a Go duration; undefined for other text. */
export function readDuration(text: string): CelDuration | undefined {
  try {
    return duration(parseDurationNanos(text));
  } catch {
    return undefined;
  }
}

/** Calendar fields at an offset from UTC. */
export interface CalendarTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Zero-based. */
  readonly dayOfYear: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly millis: number;
}

/** Splits a timestamp into calendar fields. */
export function calendarTime(nanos: bigint, offsetSeconds: number): CalendarTime {
  const shifted = nanos + BigInt(offsetSeconds) * nanosPerSecond;
  const seconds = Number(floorDivide(shifted, nanosPerSecond));
  const days = Math.floor(seconds / 86_400);
  const rest = seconds - days * 86_400;
  const { year, month, day } = civilDate(days);
  return {
    year,
    month,
    day,
    dayOfYear: days - dayNumber({ year, month: 1, day: 1 }),
    weekday: (((days + 4) % 7) + 7) % 7,
    hours: Math.floor(rest / 3600),
    minutes: Math.floor(rest / 60) % 60,
    seconds: rest % 60,
    millis: Number((shifted - floorDivide(shifted, nanosPerSecond) * nanosPerSecond) / 1_000_000n),
  };
}

/** Prints RFC 3339 with as many decimals as needed, at the original offset. */
export function printTimestamp({ nanos, offsetMinutes }: CelTimestamp): string {
  const { year, month, day, hours, minutes, seconds } = calendarTime(nanos, offsetMinutes * 60);
  const pad = (value: number, width = 2): string => String(value).padStart(width, "0");
  const fraction = String(nanos - floorDivide(nanos, nanosPerSecond) * nanosPerSecond)
    .padStart(9, "0")
    .replace(/0+$/, "");
  const size = Math.abs(offsetMinutes);
  const zone = offsetMinutes === 0 ? "Z" : `${offsetMinutes < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
  return `${pad(year, 4)}-${pad(month)}-${pad(day)}T${pad(hours)}:${pad(minutes)}:${pad(seconds)}${fraction === "" ? "" : `.${fraction}`}${zone}`;
}

/** Prints a duration in seconds: `1.5s`. */
export function printDuration({ nanos }: CelDuration): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % nanosPerSecond)
    .padStart(9, "0")
    .replace(/0+$/, "");
  return `${nanos < 0n ? "-" : ""}${size / nanosPerSecond}${fraction === "" ? "" : `.${fraction}`}s`;
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}
