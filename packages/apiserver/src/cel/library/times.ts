/** Calendar fields of timestamps and parts of durations; UTC without a time zone. */
import { timeZoneOf } from "@drover/machinery";
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { failure, isFailure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import { calendarTime } from "../value/time.ts";
import type { CalendarTime } from "../value/time.ts";
import type { CelDuration, CelTimestamp } from "../value/value.ts";

const parts: readonly (readonly [name: string, part: (time: CalendarTime) => number])[] = [
  ["getFullYear", ({ year }) => year],
  ["getMonth", ({ month }) => month - 1],
  ["getDayOfYear", ({ dayOfYear }) => dayOfYear],
  ["getDayOfMonth", ({ day }) => day - 1],
  ["getDate", ({ day }) => day],
  ["getDayOfWeek", ({ weekday }) => weekday],
  ["getHours", ({ hours }) => hours],
  ["getMinutes", ({ minutes }) => minutes],
  ["getSeconds", ({ seconds }) => seconds],
  ["getMilliseconds", ({ millis }) => millis],
];

const units: readonly (readonly [name: string, of: (nanos: bigint) => bigint])[] = [
  ["getHours", (nanos) => nanos / 3_600_000_000_000n],
  ["getMinutes", (nanos) => nanos / 60_000_000_000n],
  ["getSeconds", (nanos) => nanos / 1_000_000_000n],
  ["getMilliseconds", (nanos) => (nanos / 1_000_000n) % 1000n],
];

/** Returns seconds east of UTC for `+05:30` or a zone such as `Europe/Berlin`, whose offset depends on the timestamp. */
function offsetOf(zone: string, nanos: bigint): number | CelFailure {
  if (zone === "" || zone === "UTC") return 0;
  const [, sign = "", hours = "", minutes = ""] = /^([+-]?)(\d+):(\d+)$/.exec(zone) ?? [];
  if (hours !== "") return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  if (zone.includes(":")) return failure(`strconv.Atoi: parsing "${zone.split(":", 1)[0]}": invalid syntax`);
  const named = timeZoneOf(zone);
  return named === undefined ? failure(`unknown time zone ${zone}`) : named.offsetAt(Number(nanos / 1_000_000n)) / 1000;
}

/** The overloads. */
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
