import { describe, expect, it } from "vitest";
import { cronScheduleProblem } from "./cron-schedule.ts";

describe("cronScheduleProblem", () => {
  it.each(["* * * * *", "*/5 0-6,22-23 1,15 JAN-jun mon-FRI", "? ? ? ? ?", "5/10 * * * *", "@daily", "@every 1h30m", "TZ=UTC 0 0 * * *"])(
    "accepts %s",
    (schedule) => {
      expect(cronScheduleProblem(schedule)).toBeUndefined();
    },
  );

  it.each([
    ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
    ["60 * * * *", "end of range (60) above maximum (59): 60"],
    ["* * 0 * *", "beginning of range (0) below minimum (1): 0"],
    ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
    ["*/0 * * * *", "step of range should be a positive number: */0"],
    ["1-2-3 * * * *", "too many hyphens: 1-2-3"],
    ["1/2/3 * * * *", "too many slashes: 1/2/3"],
    ["a * * * *", 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ["@fortnightly", "unrecognized descriptor: @fortnightly"],
    ["@every x", 'failed to parse duration @every x: time: invalid duration "x"'],
    ["CRON_TZ=Mars/Base * * * * *", "provided bad location Mars/Base: unknown time zone Mars/Base"],
    ["TZ=0", "invalid schedule format: runtime error: slice bounds out of range [:-1]"],
  ])("reports the problem of %s", (schedule, problem) => {
    expect(cronScheduleProblem(schedule)).toBe(problem);
  });
});
