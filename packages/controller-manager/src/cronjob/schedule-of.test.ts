import { definedOnly, nextRun, parseTime } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { cronJob } from "../testing/cron-job-objects.ts";
import { scheduleOf, unknownZone } from "./schedule-of.ts";

const noon = (spec: object): number | undefined => {
  const { schedule } = scheduleOf(cronJob({ spec: { schedule: "0 12 * * *", ...spec } }));
  return schedule === undefined
    ? undefined
    : ((nextRun(schedule, parseTime("2026-01-01T00:00:00Z")) ?? 0) - parseTime("2026-01-01T00:00:00Z")) / 3_600_000;
};

describe("scheduleOf", () => {
  it("parses the schedule in the CronJob's zone, and in UTC without one", () => {
    expect([noon({}), noon({ timeZone: "Europe/Berlin" }), noon({ timeZone: "Local" })]).toEqual([12, 11, 12]);
  });

  it("prefers a zone in the schedule text and reports it", () => {
    expect(noon({ schedule: "TZ=Europe/Berlin 0 12 * * *", timeZone: "America/New_York" })).toBe(11);
    expect(scheduleOf(cronJob({ spec: { schedule: "CRON_TZ=UTC 0 12 * * *" } })).hasZone).toBe(true);
    expect(scheduleOf(cronJob()).hasZone).toBe(false);
  });

  it("reports why a schedule does not parse", () => {
    expect(scheduleOf(cronJob({ spec: { schedule: "60 * * * *" } }))).toEqual({
      problem: "end of range (60) above maximum (59): 60",
      hasZone: false,
    });
  });
});

describe("unknownZone", () => {
  it("returns only names of unknown zones", () => {
    expect([undefined, "UTC", "Local", "Mars/Base"].map((timeZone) => unknownZone(cronJob({ spec: definedOnly({ timeZone }) })))).toEqual([
      undefined,
      undefined,
      undefined,
      "Mars/Base",
    ]);
  });
});
