import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL time functions", () => {
  it.each<[text: string, value: unknown]>([
    ["timestamp('2021-02-03T04:05:06.789Z').getMilliseconds()", 789n],
    ["timestamp('2021-02-03T23:30:00Z').getDate('+01:00')", 4n],
    ["timestamp('2021-07-03T23:30:00Z').getHours('Europe/Berlin')", 1n],
    ["timestamp('2021-01-01T00:00:00Z').getHours('No/Where')", "unknown time zone No/Where"],
    ["duration('90m').getHours()", 1n],
    ["timestamp('2021-01-01T00:00:00Z').getFullYear('America/New_York')", 2020n],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
