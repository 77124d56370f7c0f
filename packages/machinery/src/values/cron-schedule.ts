/** Cron schedules as parsed by the library that Kubernetes uses: five fields, names like `@daily`, and `@every 90m`. */
import { quoteGo } from "../go/go-quote.ts";
import { parseDurationNanos } from "./duration.ts";
import { timeZoneOf } from "./time-zone.ts";
import type { TimeZone } from "./time-zone.ts";
import { ValueSyntaxError } from "./value-syntax-error.ts";

/** Allowed values of a minute, an hour and so on. */
export interface CronField {
  readonly values: ReadonlySet<number>;
  /** Whether it was written as a star: of the two day fields, a star is ignored. */
  readonly isStar: boolean;
}

/** Times of a wall clock. */
export interface CronCalendar {
  readonly type: "calendar";
  readonly minute: CronField;
  readonly hour: CronField;
  readonly dayOfMonth: CronField;
  /** 1 to 12. */
  readonly month: CronField;
  /** 0 is Sunday. */
  readonly dayOfWeek: CronField;
  /** Time zone of the clock. */
  readonly zone: TimeZone;
}

/** A constant interval after the last run. */
export interface CronInterval {
  readonly type: "interval";
  /** Whole seconds, at least one. */
  readonly everyMs: number;
}

export type CronSchedule = CronCalendar | CronInterval;

interface FieldShape {
  readonly min: number;
  readonly max: number;
  readonly names: ReadonlyMap<string, number>;
}

const noNames: ReadonlyMap<string, number> = new Map();
const months: ReadonlyMap<string, number> = new Map(
  ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].map((name, index) => [name, index + 1]),
);
const days: ReadonlyMap<string, number> = new Map(["sun", "mon", "tue", "wed", "thu", "fri", "sat"].map((name, index) => [name, index]));
const minuteShape: FieldShape = { min: 0, max: 59, names: noNames };
const hourShape: FieldShape = { min: 0, max: 23, names: noNames };
const dayOfMonthShape: FieldShape = { min: 1, max: 31, names: noNames };
const monthShape: FieldShape = { min: 1, max: 12, names: months };
const dayOfWeekShape: FieldShape = { min: 0, max: 6, names: days };
const fieldCount = 5;

/** Named schedules and their fields. */
const descriptors: ReadonlyMap<string, string> = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);
const every = "@every ";

/**
 * Parses a schedule; it may start with a zone (`TZ=Europe/Berlin 0 9 * * *`), and is in UTC without one. Throws a
 * `ValueSyntaxError` in the library's words. A field may be empty (`,`): such a schedule parses and never fires.
 */
export function parseCronSchedule(text: string): CronSchedule {
  if (text === "") throw new ValueSyntaxError("empty spec string");
  const zone = /^(?:CRON_)?TZ=/.exec(text)?.[0];
  if (zone === undefined) return readSchedule(text, "");
  const end = text.indexOf(" ");
  // The library panics here, and Kubernetes recovers.
  if (end < zone.length)
    throw new ValueSyntaxError(
      `invalid schedule format: runtime error: slice bounds out of range [${end < 0 ? ":-1" : `${zone.length}:${end}`}]`,
    );
  return readSchedule(text.slice(end).trim(), text.slice(zone.length, end));
}

function readSchedule(text: string, zoneName: string): CronSchedule {
  // The machine's zone is not available here: servers use UTC.
  const zone = timeZoneOf(zoneName === "Local" ? "" : zoneName);
  if (zone === undefined) throw new ValueSyntaxError(`provided bad location ${zoneName}: unknown time zone ${zoneName}`);
  if (text.startsWith(every)) return { type: "interval", everyMs: readInterval(text) };
  const fields = text.startsWith("@") ? descriptors.get(text) : text;
  if (fields === undefined) throw new ValueSyntaxError(`unrecognized descriptor: ${text}`);
  const parts = fields.split(/\s+/).filter((part) => part !== "");
  if (parts.length !== fieldCount)
    throw new ValueSyntaxError(`expected exactly ${fieldCount} fields, found ${parts.length}: [${parts.join(" ")}]`);
  const [minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = ""] = parts;
  return {
    type: "calendar",
    minute: readField(minute, minuteShape),
    hour: readField(hour, hourShape),
    dayOfMonth: readField(dayOfMonth, dayOfMonthShape),
    month: readField(month, monthShape),
    dayOfWeek: readField(dayOfWeek, dayOfWeekShape),
    zone,
  };
}

function readInterval(text: string): number {
  try {
    return Math.max(1, Number(parseDurationNanos(text.slice(every.length)) / 1_000_000_000n)) * 1000;
  } catch (error) {
    if (error instanceof ValueSyntaxError) throw new ValueSyntaxError(`failed to parse duration ${text}: ${error.message}`);
    throw error;
  }
}

function readField(text: string, shape: FieldShape): CronField {
  const ranges = text
    .split(",")
    .filter((range) => range !== "")
    .map((range) => readRange(range, shape));
  return { values: new Set(ranges.flatMap(({ values }) => [...values])), isStar: ranges.some(({ isStar }) => isStar) };
}

/** `*`, `5`, `mon-fri`, each optionally followed by `/2`. */
function readRange(text: string, { min, max, names }: FieldShape): CronField {
  const [limits = "", ...steps] = text.split("/");
  const [low = "", high, ...more] = limits.split("-");
  const isAll = low === "*" || low === "?";
  const start = isAll ? min : readNumber(low, names);
  if (!isAll && more.length > 0) throw new ValueSyntaxError(`too many hyphens: ${text}`);
  const last = isAll ? max : high === undefined ? start : readNumber(high, names);
  if (steps.length > 1) throw new ValueSyntaxError(`too many slashes: ${text}`);
  const step = steps[0] === undefined ? 1 : readNumber(steps[0], noNames);
  const end = steps.length === 1 && high === undefined ? max : last;
  if (start < min) throw new ValueSyntaxError(`beginning of range (${start}) below minimum (${min}): ${text}`);
  if (end > max) throw new ValueSyntaxError(`end of range (${end}) above maximum (${max}): ${text}`);
  if (start > end) throw new ValueSyntaxError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new ValueSyntaxError(`step of range should be a positive number: ${text}`);
  const count = Math.floor((end - start) / step) + 1;
  return { values: new Set(Array.from({ length: count }, (_, index) => start + index * step)), isStar: isAll && step === 1 };
}

function readNumber(text: string, names: ReadonlyMap<string, number>): number {
  const named = names.get(text.toLowerCase());
  if (named !== undefined) return named;
  const problem = !/^[+-]?[0-9]+$/.test(text)
    ? "invalid syntax"
    : BigInt.asIntN(64, BigInt(text.replace("+", ""))) === BigInt(text.replace("+", ""))
      ? undefined
      : "value out of range";
  if (problem !== undefined)
    throw new ValueSyntaxError(`failed to parse int from ${text}: strconv.Atoi: parsing ${quoteGo(text)}: ${problem}`);
  const number = Number(text);
  if (number < 0) throw new ValueSyntaxError(`negative number (${number}) not allowed: ${text}`);
  return number;
}
