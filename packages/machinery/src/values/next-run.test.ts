import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilDate } from "./calendar.ts";
import { parseCronSchedule } from "./cron-schedule.ts";
import type { CronCalendar } from "./cron-schedule.ts";
import { nextRun } from "./next-run.ts";
import { formatTime, parseTime } from "./time.ts";

const next = (schedule: string, time: string): string | undefined => {
  const found = nextRun(parseCronSchedule(schedule), parseTime(time));
  return found === undefined ? undefined : formatTime(found);
};

const minuteMs = 60_000;

/** The naive reference: checks every minute. Clocks of these zones change at full hours. */
function walkMinutes(
  { minute, hour, dayOfMonth, month, dayOfWeek, zone }: CronCalendar,
  afterMs: number,
  daysMax: number,
): number | undefined {
  const first = Math.floor(afterMs / minuteMs) * minuteMs + minuteMs;
  let offset = zone.offsetAt(first);
  for (let at = first; at < first + daysMax * 86_400_000; at += minuteMs) {
    if (at % (60 * minuteMs) === 0) offset = zone.offsetAt(at);
    const wall = at + offset;
    const dayNumber = Math.floor(wall / 86_400_000);
    const { day, month: monthNumber } = civilDate(dayNumber);
    const [isDay, isWeekday] = [dayOfMonth.values.has(day), dayOfWeek.values.has((((dayNumber + 4) % 7) + 7) % 7)];
    const isRightDay = dayOfMonth.isStar || dayOfWeek.isStar ? isDay && isWeekday : isDay || isWeekday;
    const minuteOfDay = Math.floor((((wall % 86_400_000) + 86_400_000) % 86_400_000) / minuteMs);
    if (isRightDay && month.values.has(monthNumber) && hour.values.has(Math.floor(minuteOfDay / 60)) && minute.values.has(minuteOfDay % 60))
      return at;
  }
  return undefined;
}

describe("nextRun", () => {
  it.each([
    ["0/15 * * * *", "2012-07-09T14:45:00Z", "2012-07-09T15:00:00Z"],
    ["0/15 * * * *", "2012-07-09T14:59:59Z", "2012-07-09T15:00:00Z"],
    ["20-35/15 * * * *", "2012-07-09T15:45:00Z", "2012-07-09T16:20:00Z"],
    ["*/15 * * * *", "2012-07-09T23:46:00Z", "2012-07-10T00:00:00Z"],
    ["0 0 9 Apr-Oct ?", "2012-07-09T23:35:00Z", "2012-08-09T00:00:00Z"],
    ["0 0 */5 Apr,Aug,Oct Mon", "2012-07-09T23:35:00Z", "2012-08-01T00:00:00Z"],
    ["0 0 */5 Oct Mon", "2012-07-09T23:35:00Z", "2012-10-01T00:00:00Z"],
    ["0 0 * Feb Mon", "2012-07-09T23:35:00Z", "2013-02-04T00:00:00Z"],
    ["0 0 * Feb Mon/2", "2012-07-09T23:35:00Z", "2013-02-01T00:00:00Z"],
    ["* * * * *", "2012-12-31T23:59:45Z", "2013-01-01T00:00:00Z"],
    ["0 0 29 Feb ?", "2012-07-09T23:35:00Z", "2016-02-29T00:00:00Z"],
    ["30 08 15 Jul Sun", "2012-07-09T00:00:00Z", "2012-07-15T08:30:00Z"],
    ["@every 90m", "2012-07-09T14:45:01Z", "2012-07-09T16:15:01Z"],
  ])("of %s after %s is %s", (schedule, time, expected) => {
    expect(next(schedule, time)).toBe(expected);
  });

  it.each(["0 0 30 Feb ?", "0 0 31 4,6,9,11 ?", ", * * * *", "* , * * *", "* * * , *", "* * , * ,"])("of %s is undefined", (schedule) => {
    expect(next(schedule, "2012-07-09T23:35:00Z")).toBeUndefined();
  });

  it("uses one day field when the other is empty", () => {
    expect(next("0 0 , * wed", "2016-08-18T10:30:00Z")).toBe("2016-08-24T00:00:00Z");
  });

  it("returns whole seconds for any input", () => {
    expect(nextRun(parseCronSchedule("@every 1s"), 1999)).toBe(2000);
    expect(nextRun(parseCronSchedule("* * * * *"), 59_999)).toBe(60_000);
    expect(nextRun(parseCronSchedule("* * * * *"), -1)).toBe(0);
  });

  it.each([
    // Clocks are put forward from 2:00 to 3:00, five and then four hours behind UTC.
    ["30 2 11 Mar ?", "2012-03-11T05:00:00Z", "2013-03-11T06:30:00Z"],
    ["0 * * * ?", "2012-03-11T06:00:00Z", "2012-03-11T07:00:00Z"],
    ["0 2 * * ?", "2012-03-11T05:00:00Z", "2012-03-12T06:00:00Z"],
    // And back from 2:00 to 1:00: one o'clock comes twice.
    ["0 1 * * ?", "2012-11-04T04:00:00Z", "2012-11-04T05:00:00Z"],
    ["0 1 * * ?", "2012-11-04T05:00:00Z", "2012-11-04T06:00:00Z"],
    ["0 1 * * ?", "2012-11-04T06:00:00Z", "2012-11-05T06:00:00Z"],
    ["30 1 04 Nov ?", "2012-11-04T05:45:00Z", "2012-11-04T06:30:00Z"],
    ["0 2 * * ?", "2012-11-04T04:00:00Z", "2012-11-04T07:00:00Z"],
  ])("follows New York's clocks: %s after %s is %s", (schedule, time, expected) => {
    expect(next(`TZ=America/New_York ${schedule}`, time)).toBe(expected);
  });

  it.each([
    ["America/Sao_Paulo", "0 9 10 * ?", "2018-10-17T09:00:00Z", "2018-11-10T11:00:00Z"],
    ["America/Sao_Paulo", "0 9 22 * ?", "2018-02-14T10:00:00Z", "2018-02-22T12:00:00Z"],
  ])("finds a day after one without midnight, in %s: %s", (zone, schedule, time, expected) => {
    expect(next(`TZ=${zone} ${schedule}`, time)).toBe(expected);
  });

  it("ends where a calendar skipped a whole day", () => {
    expect(next("TZ=Pacific/Apia 0 12 31 * *", "2011-12-29T12:00:00Z")).toBe("2011-12-30T22:00:00Z");
  });

  it("finds what a walk through every minute finds", () => {
    const field = (min: number, max: number): fc.Arbitrary<string> =>
      fc.oneof(
        fc.constantFrom("*", "?"),
        fc.integer({ min, max }).map(String),
        fc.integer({ min: 1, max }).map((step) => `*/${step}`),
        fc
          .tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.integer({ min: 1, max: 9 }))
          .map(([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}/${step}`),
        fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map((values) => values.join(",")),
      );
    const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata");
    const text = fc.tuple(zone, field(0, 59), field(0, 23), field(1, 31), fc.constant("*"), field(0, 6));
    // The year 2026, mostly the weeks in which clocks are put forward or back.
    const moment = fc
      .oneof(fc.integer({ min: 0, max: 330 }), fc.constantFrom(64, 65, 85, 86, 295, 296, 303, 304))
      .chain((day) =>
        fc.integer({ min: 0, max: 86_399 }).map((second) => parseTime("2026-01-01T00:00:00Z") + (day * 86_400 + second) * 1000),
      );
    const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 20);
    fc.assert(
      fc.property(text, moment, ([name, ...parts], afterMs) => {
        const schedule = parseCronSchedule(`TZ=${name} ${parts.join(" ")}`) as CronCalendar;
        const found = nextRun(schedule, afterMs);
        const walked = walkMinutes(schedule, afterMs, 8);
        // A walk of a week says nothing of what comes later.
        expect(walked ?? "later").toBe(found !== undefined && found <= afterMs + 8 * 86_400_000 ? found : "later");
      }),
      { numRuns },
    );
  });
});
