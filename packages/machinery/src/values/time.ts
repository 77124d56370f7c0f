/**
 * Timestamps of the API: `Time` with whole seconds, `MicroTime` with exactly six decimals, both RFC 3339 in UTC.
 *
 * In the program a moment is a number of milliseconds since 1970, as clocks return it; a micro time is a `bigint` of microseconds,
 * because those of the far future do not fit a number exactly. The API's zero time, the first second of the year 1, is written
 * `null`.
 */
import { formatRfc3339, parseRfc3339, plainSeconds } from "./rfc3339.ts";
import type { Instant } from "./rfc3339.ts";

/** 0001-01-01T00:00:00Z, which the API writes as `null`. */
const zeroTimeSeconds = -62_135_596_800;
const maxSeconds = 253_402_300_799; // 9999-12-31T23:59:59Z
const minSeconds = -62_167_219_200; // 0000-01-01T00:00:00Z

/** Formats a moment (milliseconds since 1970) as a `Time`, truncating fractions of a second. Assumes a year from 0000 to 9999. */
export function formatTime(epochMs: number): string {
  return formatRfc3339(instantOfMillis(epochMs), 0);
}

/** Formats a moment with milliseconds, "2026-11-15T13:35:46.123Z", for log lines. */
export function formatTimeMillis(epochMs: number): string {
  return formatRfc3339(instantOfMillis(epochMs), 3);
}

/** Parses a `Time` with any offset and fraction, truncating to milliseconds. Throws the API server's message. */
export function parseTime(text: string): number {
  const { seconds, nanos } = parseRfc3339(text, { fraction: "any" });
  return seconds * 1000 + Math.floor(nanos / 1_000_000);
}

/** Formats microseconds since 1970 as a `MicroTime`. Assumes a year from 0000 to 9999. */
export function formatMicroTime(epochMicros: bigint): string {
  const micros = Number(((epochMicros % 1_000_000n) + 1_000_000n) % 1_000_000n);
  const seconds = Number((epochMicros - BigInt(micros)) / 1_000_000n);
  return formatRfc3339(checked({ seconds, nanos: micros * 1000 }), 6);
}

/** Parses a `MicroTime` to microseconds since 1970: exactly six decimals, any offset. Throws the API server's message. */
export function parseMicroTime(text: string): bigint {
  const { seconds, nanos } = parseRfc3339(text, { fraction: "six" });
  return BigInt(seconds) * 1_000_000n + BigInt(nanos / 1000);
}

/** Converts milliseconds, possibly with a fraction, to whole microseconds, truncating the rest. */
export function millisToMicros(epochMs: number): bigint {
  const whole = Math.floor(epochMs);
  return BigInt(whole) * 1000n + BigInt(Math.floor((epochMs - whole) * 1000));
}

/** Converts microseconds to whole milliseconds, truncating the rest. */
export function microsToMillis(epochMicros: bigint): number {
  return Number((epochMicros - (((epochMicros % 1000n) + 1000n) % 1000n)) / 1000n);
}

/**
 * Returns whether `a` is before (-1), at (0) or after (1) `b`, two `Time`s or `MicroTime`s as text, to the nanosecond, whatever
 * their offsets.
 */
export function compareTimes(a: string, b: string): -1 | 0 | 1 {
  const left = parseRfc3339(a, { fraction: "any" });
  const right = parseRfc3339(b, { fraction: "any" });
  const difference = left.seconds - right.seconds || left.nanos - right.nanos;
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}

/** Returns a `Time` as the API server would write it back: in UTC, whole seconds, the zero time as `null`. Throws like parsing it. */
export function canonicalTime(value: string | null): string | null {
  if (value === null) return null;
  const plain = plainSeconds(value);
  if (plain !== undefined) return plain === zeroTimeSeconds ? null : value;
  const instant = parseRfc3339(value, { fraction: "any" });
  return isZero(instant) ? null : formatRfc3339(instant, 0);
}

/** Returns a `MicroTime` as the API server would write it back: in UTC, six decimals, the zero time as `null`. Throws like parsing it. */
export function canonicalMicroTime(value: string | null): string | null {
  if (value === null) return null;
  const instant = parseRfc3339(value, { fraction: "six" });
  return isZero(instant) ? null : formatRfc3339(instant, 6);
}

function isZero({ seconds, nanos }: Instant): boolean {
  return seconds === zeroTimeSeconds && nanos === 0;
}

function instantOfMillis(epochMs: number): Instant {
  const whole = Math.floor(epochMs);
  const seconds = Math.floor(whole / 1000);
  return checked({ seconds, nanos: (whole - seconds * 1000) * 1_000_000 });
}

function checked(instant: Instant): Instant {
  if (instant.seconds >= minSeconds && instant.seconds <= maxSeconds) return instant;
  throw new RangeError(`${instant.seconds} seconds since 1970 is outside the years 0000 to 9999, which is all RFC 3339 can write`);
}
