import { describe, expect, it } from "vitest";

import { hours, minutes, seconds } from "./duration.ts";
import { humanDuration, shortHumanDuration } from "./human-duration.ts";

const days = (count: number): number => hours(24 * count);

describe("humanDuration", () => {
  it("shows two units while the second one matters", () => {
    expect(
      [
        seconds(0),
        seconds(119),
        minutes(2),
        minutes(5) + seconds(32),
        minutes(10) + seconds(5),
        hours(3) + minutes(10),
        hours(8) + minutes(10),
        days(3) + hours(4),
        days(8) + hours(4),
        days(800),
        days(365 * 8 + 1),
      ].map(humanDuration),
    ).toEqual(["0s", "119s", "2m", "5m32s", "10m", "3h10m", "8h", "3d4h", "8d", "2y70d", "8y"]);
  });

  it("shows one unit in its short form", () => {
    expect([seconds(59), seconds(60), minutes(59), hours(1), hours(23), days(1), days(364), days(365)].map(shortHumanDuration)).toEqual([
      "59s",
      "1m",
      "59m",
      "1h",
      "23h",
      "1d",
      "364d",
      "1y",
    ]);
  });

  it("tolerates clock skew of less than two seconds", () => {
    expect([-500, -1999, -2000].map(humanDuration)).toEqual(["0s", "0s", "<invalid>"]);
    expect([-500, -1999, -2000].map(shortHumanDuration)).toEqual(["0s", "0s", "<invalid>"]);
  });
});
