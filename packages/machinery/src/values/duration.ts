/**
 * Durations in Go's notation, "1h2m3.5s", as in the API and on command lines.
 *
 * Two units: nanoseconds as a `bigint` are exact; milliseconds as a number are what clocks and timers take.
 */
import { byteString, quoteBytes } from "../go/byte-quote.ts";
import { ValueSyntaxError } from "./value-syntax-error.ts";

const nanosPerMilli = 1_000_000n;
const limit = 2n ** 63n;
const unitNanos: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1000n],
  ["\u00b5s", 1000n], // micro sign
  ["\u03bcs", 1000n], // Greek letter mu
  ["ms", nanosPerMilli],
  ["s", 1_000_000_000n],
  ["m", 60n * 1_000_000_000n],
  ["h", 3600n * 1_000_000_000n],
]);

/** Seconds in milliseconds. */
export const seconds = (count: number): number => count * 1000;
/** Minutes in milliseconds. */
export const minutes = (count: number): number => count * 60_000;
/** Hours in milliseconds. */
export const hours = (count: number): number => count * 3_600_000;

/** Parses a duration to milliseconds, with a fraction for parts of a millisecond. Throws Go's message. */
export function parseDuration(text: string): number {
  const nanos = parseDurationNanos(text);
  return Number(nanos / nanosPerMilli) + Number(nanos % nanosPerMilli) / 1e6;
}

/** Formats milliseconds as Go formats a duration: "1h2m3.5s", "1.5ms", "0s". Rounds parts of a nanosecond. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) throw new RangeError(`${ms} is not a duration`);
  const whole = Math.trunc(ms);
  return formatDurationNanos(BigInt(whole) * nanosPerMilli + BigInt(Math.round((ms - whole) * 1e6)));
}

/** Parses a duration to nanoseconds, exactly. Throws Go's message; the limit is ±292 years. */
export function parseDurationNanos(text: string): bigint {
  const invalid = (what = "invalid duration"): ValueSyntaxError => new ValueSyntaxError(`time: ${what} ${quoteBytes(byteString(text))}`);
  const negative = text[0] === "-";
  let at = negative || text[0] === "+" ? 1 : 0;
  if (at === text.length) throw invalid();
  if (at === text.length - 1 && text[at] === "0") return 0n;
  let total = 0n;
  while (at < text.length) {
    const wholeEnd = skipDigits(text, at);
    const fractionStart = text[wholeEnd] === "." ? wholeEnd + 1 : wholeEnd;
    const fractionEnd = fractionStart > wholeEnd ? skipDigits(text, fractionStart) : wholeEnd;
    const whole = readWhole(text.slice(at, wholeEnd));
    if (whole === undefined || (wholeEnd === at && fractionEnd === fractionStart)) throw invalid();
    at = skipUnit(text, fractionEnd);
    if (at === fractionEnd) throw invalid("missing unit in duration");
    const unitText = text.slice(fractionEnd, at);
    const unit = unitNanos.get(unitText);
    if (unit === undefined) throw invalid(`unknown unit ${quoteBytes(byteString(unitText))} in duration`);
    if (whole > limit / unit) throw invalid();
    const piece = whole * unit + fractionNanos(text.slice(fractionStart, fractionEnd), unit);
    if (piece > limit) throw invalid();
    // In Go, two halves of the whole range wrap around to zero.
    total = BigInt.asUintN(64, total + piece);
    if (total > limit) throw invalid();
  }
  if (negative) return -total;
  if (total === limit) throw invalid();
  return total;
}

/** Formats nanoseconds as Go formats a duration: hours, minutes and seconds, or one smaller unit below a second. */
export function formatDurationNanos(nanos: bigint): string {
  const sign = nanos < 0n ? "-" : "";
  const size = nanos < 0n ? -nanos : nanos;
  if (size === 0n) return "0s";
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < nanosPerMilli) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const wholeMinutes = size / 60_000_000_000n;
  const rest = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (wholeMinutes === 0n) return sign + rest;
  const wholeHours = wholeMinutes / 60n;
  return wholeHours === 0n ? `${sign}${wholeMinutes}m${rest}` : `${sign}${wholeHours}h${wholeMinutes % 60n}m${rest}`;
}

/** `value / 10^places`, without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return fraction === "" ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}

function readWhole(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+/, "");
  if (significant.length > 19) return undefined;
  const value = BigInt(significant === "" ? "0" : significant);
  return value > limit ? undefined : value;
}

/** Go computes fractions in floating point, from as many digits as fit 63 bits; the same steps here give the same last nanosecond. */
function fractionNanos(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (next > limit) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}

function skipUnit(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== "." && !isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
