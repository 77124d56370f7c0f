import { describe, expect, it } from "vitest";
import { isTimeZone, timeZoneOf } from "./time-zone.ts";
import { parseTime } from "./time.ts";

const hoursAhead = (zone: string, time: string): number => (timeZoneOf(zone)?.offsetAt(parseTime(time)) ?? NaN) / 3_600_000;

describe("timeZoneOf", () => {
  it.each([
    ["UTC", "2026-07-01T00:00:00Z", 0],
    ["", "2026-07-01T00:00:00Z", 0],
    ["Europe/Berlin", "2026-01-01T00:00:00Z", 1],
    ["Europe/Berlin", "2026-07-01T00:00:00Z", 2],
    ["Europe/Berlin", "2026-03-29T00:59:59Z", 1],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", 2],
    ["Asia/Kolkata", "2026-01-01T00:00:00Z", 5.5],
    ["America/New_York", "2026-01-01T00:00:00Z", -5],
    ["Pacific/Kiritimati", "2026-01-31T23:00:00Z", 14],
    ["Etc/GMT+5", "2026-01-01T03:00:00Z", -5],
  ])("%j at %s is %d hours ahead", (zone, time, hours) => {
    expect(hoursAhead(zone, time)).toBe(hours);
  });

  it("knows offsets before year 1", () => {
    expect(hoursAhead("Etc/GMT+5", "0001-01-01T00:00:00Z")).toBe(-5);
  });

  it("ignores fractions of a second", () => {
    expect(timeZoneOf("Europe/Berlin")?.offsetAt(-1.5)).toBe(3_600_000);
  });

  it.each(["Mars/Base", "europe/berlin", "+01:00", "Local", "Europe/Berlin "])("rejects %j", (name) => {
    expect(timeZoneOf(name)).toBeUndefined();
  });
});

describe("isTimeZone", () => {
  it("accepts Local, the machine's own zone, which is not in the zone database", () => {
    expect([isTimeZone("Local"), isTimeZone("UTC"), isTimeZone("Mars/Base")]).toEqual([true, true, false]);
  });
});
