import { definedOnly, formatTime, minutes, parseCronSchedule, parseTime } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { cronJob } from "../testing/cron-job-objects.ts";
import { dueRun, waitMs } from "./missed-runs.ts";

/** A Thursday; times below are minutes after it. */
const ten = parseTime("2016-05-19T10:00:00Z");
const day = 24 * 60;

interface Row {
  readonly schedule: string;
  readonly created?: number;
  readonly last?: number;
  readonly deadlineSeconds?: number;
}

const of = ({ schedule, created = 0, last, deadlineSeconds }: Row): Parameters<typeof dueRun>[0] =>
  cronJob({
    created: formatTime(ten + minutes(created)),
    spec: { schedule, ...definedOnly({ startingDeadlineSeconds: deadlineSeconds }) },
    ...(last === undefined ? {} : { status: { lastScheduleTime: formatTime(ten + minutes(last)) } }),
  });
const due = (row: Row, now: number): readonly [number | undefined, string] => {
  const { latestMs, missed } = dueRun(of(row), parseCronSchedule(row.schedule), ten + minutes(now));
  return [latestMs === undefined ? undefined : (latestMs - ten) / 60_000, missed];
};
const wait = (row: Row, now: number): number => waitMs(of(row), parseCronSchedule(row.schedule), ten + minutes(now));

const hourly = "0 * * * *";

describe("dueRun", () => {
  it.each<[string, Row, number, number | undefined, string]>([
    ["nothing before the first time", { schedule: hourly }, 0.5, undefined, "none"],
    ["the first time, when it has come", { schedule: hourly }, 61, 60, "none"],
    ["nothing when the last time was served", { schedule: hourly, created: -10, last: 0 }, 2, undefined, "none"],
    ["the next, when the last was served", { schedule: hourly, created: -10, last: 0 }, 65, 60, "none"],
    ["the later of two", { schedule: hourly, created: -120, last: -60 }, 65, 60, "few"],
    ["the last of five", { schedule: hourly, created: 10 / 60 }, 301, 300, "few"],
    ["the last of very many", { schedule: hourly, last: 0 }, 10 * day, 10 * day, "many"],
    ["the last of a hundred, which are not yet many", { schedule: hourly, last: 0 }, 100 * 60, 100 * 60, "few"],
    [
      "the last of those within the deadline, of which there are few",
      { schedule: hourly, last: 0, deadlineSeconds: 7200 },
      10 * day + 5,
      10 * day,
      "few",
    ],
    ["hours that are not evenly spread, a day later", { schedule: "30 6-16/4 * * 1-5", last: 30 }, day + 31, day + 30, "few"],
    ["hours that are not evenly spread, after a weekend", { schedule: "30 6-16/4 * * 1-5", last: 30 }, 4 * day + 31, 4 * day + 30, "few"],
    [
      "nothing, though times were missed: the search begins too late",
      { schedule: "30 10,11,12 * * 1-5", last: 30 },
      30 * 60 + 30,
      undefined,
      "few",
    ],
    ["nothing that is before the deadline", { schedule: "*/5 * * * *", last: 30, deadlineSeconds: 60 }, 32, undefined, "none"],
  ])("finds %s", (_what, row, now, expected, missed) => {
    expect(due(row, now)).toEqual([expected, missed]);
  });

  it("reports a schedule that never fires", () => {
    expect(dueRun(of({ schedule: "59 23 31 2 *" }), parseCronSchedule("59 23 31 2 *"), ten + minutes(60))).toMatchObject({
      problem: "time difference between two schedules is less than 1 second",
    });
  });
});

describe("waitMs", () => {
  it.each<[string, Row, number, number]>([
    ["for the first time", { schedule: hourly }, 20, minutes(40) + 100],
    ["for the time after the one that has come", { schedule: hourly, last: 0 }, 65, minutes(55) + 100],
    ["over the night", { schedule: "30 6-16/4 * * 1-5", last: 30 }, day + 31, minutes(3 * 60 + 59) + 100],
    [
      "from now on, when those that were missed were not found",
      { schedule: "30 10,11,12 * * 1-5", last: 30 },
      30 * 60 + 30,
      minutes(66 * 60) + 100,
    ],
    ["from the last time on, whatever the deadline", { schedule: "@every 1h", last: 1, deadlineSeconds: 10 }, 90, minutes(31) + 100],
    ["for no time at all when it never comes", { schedule: "59 23 31 2 *" }, 60, 100],
  ])("is so long %s", (_what, row, now, expected) => {
    expect(wait(row, now)).toBe(expected);
  });
});
