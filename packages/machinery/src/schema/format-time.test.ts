import { describe, expect, it } from "vitest";
import { isDate, isDateTime, isDuration } from "./format-time.ts";

describe("time formats", () => {
  it("accept only existing days", () => {
    expect(["2020-02-29", "0000-01-01", "9999-12-31"].every(isDate)).toBe(true);
    expect(["2019-02-29", "2020-13-01", "2020-00-01", "2020-01-00", "2020-1-1", "2020-01-01 ", "20-01-01"].some(isDate)).toBe(false);
  });

  it("accept a date and time in any case, and ignore everything after a second t", () => {
    expect(
      [
        "2020-01-02T03:04:05Z",
        "2020-01-02t03:04:05z",
        "2020-01-02T03:04:05.123+01:00",
        "2020-01-02T03:04:05x9Z",
        "2020-01-02T03:04:05Ztail",
      ].every(isDateTime),
    ).toBe(true);
    expect(
      [
        "2020-01-02",
        "2020-01-02T24:00:00Z",
        "2020-01-02T03:60:00Z",
        "2020-01-02T03:04:60Z",
        "2020-02-30T00:00:00Z",
        "2020-01-02T03:04:05",
        "2020-01-02T03:04:05.Z",
      ].some(isDateTime),
    ).toBe(false);
  });

  it("accept Go durations, and durations in words anywhere in a text", () => {
    expect(["1h30m", "-5s", "0", "1.s", "5\u03bcs", "2 weeks", "about 3 DAYS", "9223372037s"].every(isDuration)).toBe(true);
    expect(["", "5", "h", "1 fortnight", "99999999999.s", "99999999999999999999h"].some(isDuration)).toBe(false);
  });
});
