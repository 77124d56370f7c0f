/**
 * RFC 3339 as the API server parses and formats it, including its leniencies (a one-digit hour, a comma before the fraction, an
 * offset of 24 hours) and its error messages.
 */
import { civilDate, dayNumber, daysInMonth } from "./calendar.ts";
import { byteString, quoteBytes } from "../go/byte-quote.ts";
import { ValueSyntaxError } from "./value-syntax-error.ts";

/** A moment: whole seconds since 1970, rounded down, and nanoseconds (0 to 999,999,999). */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

const secondsPerDay = 86_400;

/** The two layouts of the API, under Go's names in messages. */
const layouts = {
  seconds: "2006-01-02T15:04:05Z07:00",
  micros: "2006-01-02T15:04:05.000000Z07:00",
} as const;

/**
 * Parses a timestamp with any offset. With `fraction: "any"` the fraction may be missing or have any number of digits (those after
 * the ninth are dropped); with `"six"` exactly six are required.
 */
export function parseRfc3339(text: string, { fraction }: { readonly fraction: "any" | "six" }): Instant {
  const plain = fraction === "any" ? plainSeconds(text) : undefined;
  if (plain !== undefined) return { seconds: plain, nanos: 0 };
  const bytes = byteString(text);
  const reader = new Reader(bytes, fraction === "any" ? layouts.seconds : layouts.micros);
  const year = reader.year();
  reader.skip("-");
  const month = reader.number("01", { width: "fixed", name: "month", min: 1, max: 12 });
  reader.skip("-");
  const day = reader.number("02", { width: "fixed", name: "day", min: 0, max: 99 });
  reader.skip("T");
  const hour = reader.number("15", { width: "any", name: "hour", min: 0, max: 23 });
  reader.skip(":");
  const minute = reader.number("04", { width: "fixed", name: "minute", min: 0, max: 59 });
  reader.skip(":");
  const second = reader.number("05", { width: "fixed", name: "second", min: 0, max: 59 });
  const nanos = fraction === "any" ? reader.optionalFraction() : reader.sixDigits();
  const offset = reader.zone();
  reader.end();
  if (day < 1 || day > daysInMonth(year, month)) throw reader.outOfRange("day");
  const seconds = dayNumber({ year, month, day }) * secondsPerDay + hour * 3600 + minute * 60 + second - offset;
  return { seconds, nanos };
}

/**
 * Returns the seconds since 1970 of a time in the form that the API writes, "2026-11-15T13:35:46Z"; undefined for any other text,
 * valid or not. Nearly all times have this form, and every object has several.
 */
export function plainSeconds(text: string): number | undefined {
  if (
    text.length !== 20 ||
    text[4] !== "-" ||
    text[7] !== "-" ||
    text[10] !== "T" ||
    text[13] !== ":" ||
    text[16] !== ":" ||
    text[19] !== "Z"
  )
    return undefined;
  const [year, month, day, hour, minute, second] = [
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5),
    twoDigits(text, 8),
    twoDigits(text, 11),
    twoDigits(text, 14),
    twoDigits(text, 17),
  ];
  // A non-digit is NaN, for which every comparison is false.
  if (
    !(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month) && hour <= 23 && minute <= 59 && second <= 59)
  )
    return undefined;
  return dayNumber({ year, month, day }) * secondsPerDay + hour * 3600 + minute * 60 + second;
}

function twoDigits(text: string, at: number): number {
  return isDigit(text, at) && isDigit(text, at + 1) ? (text.charCodeAt(at) - 0x30) * 10 + text.charCodeAt(at + 1) - 0x30 : Number.NaN;
}

/** Formats a moment in UTC with so many decimals, truncating further digits. */
export function formatRfc3339({ seconds, nanos }: Instant, decimals: 0 | 3 | 6): string {
  const days = Math.floor(seconds / secondsPerDay);
  const { year, month, day } = civilDate(days);
  const rest = seconds - days * secondsPerDay;
  const time = `${pad(Math.floor(rest / 3600), 2)}:${pad(Math.floor(rest / 60) % 60, 2)}:${pad(rest % 60, 2)}`;
  const fraction = decimals === 0 ? "" : `.${pad(nanos, 9).slice(0, decimals)}`;
  return `${year < 0 ? "-" : ""}${pad(Math.abs(year), 4)}-${pad(month, 2)}-${pad(day, 2)}T${time}${fraction}Z`;
}

interface NumberRule {
  readonly width: "fixed" | "any";
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

/** Parses a timestamp from left to right and reports errors about the rest. */
class Reader {
  readonly #text: string;
  readonly #layout: string;
  #at = 0;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
  }

  skip(char: string): void {
    if (this.#text[this.#at] !== char) throw this.#cannotParse(char);
    this.#at++;
  }

  year(): number {
    const digits = this.#text.slice(0, 4);
    if (!/^\d{4}$/.test(digits)) throw this.#cannotParse("2006");
    this.#at = 4;
    return Number(digits);
  }

  number(element: string, { width, name, min, max }: NumberRule): number {
    const length = !isDigit(this.#text, this.#at) ? 0 : isDigit(this.#text, this.#at + 1) ? 2 : 1;
    if (length === 0 || (length === 1 && width === "fixed")) throw this.#cannotParse(element);
    const value = Number(this.#text.slice(this.#at, this.#at + length));
    this.#at += length;
    if (value < min || value > max) throw this.outOfRange(name);
    return value;
  }

  optionalFraction(): number {
    if (!isPoint(this.#text[this.#at]) || !isDigit(this.#text, this.#at + 1)) return 0;
    const start = this.#at + 1;
    this.#at = start;
    while (isDigit(this.#text, this.#at)) this.#at++;
    return Number(this.#text.slice(start, Math.min(this.#at, start + 9)).padEnd(9, "0"));
  }

  sixDigits(): number {
    const element = ".000000";
    const piece = this.#text.slice(this.#at, this.#at + element.length);
    // Go parses the six characters as a signed number, so ".+00001" is accepted.
    if (piece.length < element.length || !/^[.,](?:\d|[-+](?=\d))\d{5}$/.test(piece)) throw this.#cannotParse(element);
    const micros = Number(piece.slice(1));
    if (micros < 0) throw this.outOfRange("fractional second");
    this.#at += element.length;
    return Math.abs(micros) * 1000;
  }

  /** The offset from UTC in seconds. */
  zone(): number {
    if (this.#text[this.#at] === "Z") {
      this.#at++;
      return 0;
    }
    const piece = this.#text.slice(this.#at, this.#at + 6);
    if (piece.length < 6 || piece[3] !== ":") throw this.#cannotParse("Z07:00");
    const hoursRead = isDigit(piece, 1) && isDigit(piece, 2);
    const minutesRead = hoursRead && isDigit(piece, 4) && isDigit(piece, 5);
    const hours = hoursRead ? Number(piece.slice(1, 3)) : 0;
    const minutes = minutesRead ? Number(piece.slice(4, 6)) : 0;
    // When both are wrong Go names the minute, and either before a wrong sign.
    if (minutes > 60) throw this.outOfRange("time zone offset minute");
    if (hours > 24) throw this.outOfRange("time zone offset hour");
    if (!minutesRead || (piece[0] !== "+" && piece[0] !== "-")) throw this.#cannotParse("Z07:00");
    this.#at += 6;
    const offset = (hours * 60 + minutes) * 60;
    return piece[0] === "-" ? -offset : offset;
  }

  end(): void {
    if (this.#at === this.#text.length) return;
    throw new ValueSyntaxError(`parsing time ${quoteBytes(this.#text)}: extra text: ${quoteBytes(this.#text.slice(this.#at))}`);
  }

  outOfRange(name: string): ValueSyntaxError {
    return new ValueSyntaxError(`parsing time ${quoteBytes(this.#text)}: ${name} out of range`);
  }

  #cannotParse(element: string): ValueSyntaxError {
    const rest = quoteBytes(this.#text.slice(this.#at));
    return new ValueSyntaxError(`parsing time ${quoteBytes(this.#text)} as "${this.#layout}": cannot parse ${rest} as "${element}"`);
  }
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

function isPoint(char: string | undefined): boolean {
  return char === "." || char === ",";
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
