/** The calendar of moments and the parts of durations. Without a time zone it is UTC. */
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { failure, isFailure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { calendarTime } from "../value/time.ts";
import type { CalendarTime } from "../value/time.ts";
import type { CelDuration, CelTimestamp } from "../value/value.ts";

const parts: readonly (readonly [name: string, part: (time: CalendarTime) => number])[] = [
  ["getFullYear", ({ year }) => year], ["getMonth", ({ month }) => month - 1], ["getDayOfYear", ({ dayOfYear }) => dayOfYear], ["getDayOfMonth", ({ day }) => day - 1],
  ["getDate", ({ day }) => day], ["getDayOfWeek", ({ weekday }) => weekday], ["getHours", ({ hours }) => hours], ["getMinutes", ({ minutes }) => minutes],
  ["getSeconds", ({ seconds }) => seconds], ["getMilliseconds", ({ millis }) => millis],
];

const units: readonly (readonly [name: string, of: (nanos: bigint) => bigint])[] = [
  ["getHours", (nanos) => nanos / 3_600_000_000_000n], ["getMinutes", (nanos) => nanos / 60_000_000_000n], ["getSeconds", (nanos) => nanos / 1_000_000_000n],
  ["getMilliseconds", (nanos) => (nanos / 1_000_000n) % 1000n],
];

/** Seconds east of UTC; `+05:30`, or a name like `Europe/Berlin`, which depends on the moment. */
function offsetOf(zone: string, nanos: bigint): number | CelFailure {
  if (zone === "" || zone === "UTC") return 0;
  const [, sign = "", hours = "", minutes = ""] = /^([+-]?)(\d+):(\d+)$/.exec(zone) ?? [];
  if (hours !== "") return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  if (zone.includes(":")) return failure(`strconv.Atoi: parsing "${zone.split(":", 1)[0]}": invalid syntax`);
  return offsetOfNamed(zone, Number(nanos / 1_000_000n)) ?? failure(`unknown time zone ${zone}`);
}

function offsetOfNamed(zone: string, epochMs: number): number | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric", era: "short" });
    const text = format.formatToParts(epochMs);
    const read = (type: Intl.DateTimeFormatPartTypes): number => Number(text.find((part) => part.type === type)?.value ?? 0);
    const { days, rest } = utcOf(epochMs);
    const local = calendarTime(BigInt(Math.floor(epochMs / 1000)) * 1_000_000_000n, 0);
    // The two differ by less than a day and a half, so days of the month tell which way.
    const dayShift = read("day") === local.day ? 0 : dayAfter(days) === read("day") ? 1 : -1;
    return dayShift * 86_400 + read("hour") * 3600 + read("minute") * 60 + read("second") - rest;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function utcOf(epochMs: number): { readonly days: number; readonly rest: number } {
  const seconds = Math.floor(epochMs / 1000);
  const days = Math.floor(seconds / 86_400);
  return { days, rest: seconds - days * 86_400 };
}

const dayAfter = (days: number): number => calendarTime(BigInt(days + 1) * 86_400_000_000_000n, 0).day;

/** All of them. */
export const timeFunctions: readonly Overload[] = [
  ...parts.flatMap(([name, part]) => [
    overload(`timestamp_${name}`, `timestamp . ${name}() int`, ({ nanos }: CelTimestamp) => BigInt(part(calendarTime(nanos, 0)))),
    overload(`timestamp_${name}_with_tz`, `timestamp . ${name}(string) int`, ({ nanos }: CelTimestamp, zone: string) => {
      const offset = offsetOf(zone, nanos);
      return isFailure(offset) ? offset : BigInt(part(calendarTime(nanos, offset)));
    }),
  ]),
  ...units.map(([name, of]) => overload(`duration_${name}`, `duration . ${name}() int`, ({ nanos }: CelDuration) => of(nanos))),
];
