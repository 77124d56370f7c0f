import { describe, expect, it } from "vitest";
import { calendarTime, checkedDuration, printDuration, printTimestamp, readDuration, readTimestamp } from "./time.ts";
import { duration } from "./value.ts";

describe("CEL timestamps and durations", () => {
  it.each(["2021-02-03T04:05:06Z", "2021-02-03T04:05:06.5+02:30", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"])(
    "parse and print %s unchanged",
    (text) => {
      const read = readTimestamp(text);
      expect(read !== undefined && read.kind === "timestamp" ? printTimestamp(read) : read).toBe(text);
    },
  );

  it("stay within their limits, and durations print in seconds", () => {
    expect(checkedDuration(2n ** 63n)).toMatchObject({ message: "duration overflow" });
    expect(printDuration(duration(-1_500_000_000n))).toBe("-1.5s");
    expect([readDuration("x"), readTimestamp("x")]).toEqual([undefined, undefined]);
    expect(calendarTime(-1n, 0)).toMatchObject({ year: 1969, month: 12, day: 31, dayOfYear: 364, weekday: 3, millis: 999 });
  });
});
