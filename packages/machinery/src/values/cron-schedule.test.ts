import { describe, expect, it } from "vitest";
import { parseCronSchedule } from "./cron-schedule.ts";
import type { CronField } from "./cron-schedule.ts";

const fields = (text: string): readonly CronField[] => {
  const schedule = parseCronSchedule(text);
  if (schedule.type !== "calendar") throw new Error(`${text} is no calendar`);
  return [schedule.minute, schedule.hour, schedule.dayOfMonth, schedule.month, schedule.dayOfWeek];
};
const minutes = (text: string): readonly number[] => [...(fields(`${text} * * * *`)[0]?.values ?? [])];
const days = (text: string): CronField | undefined => fields(`* * * * ${text}`)[4];

describe("parseCronSchedule", () => {
  it.each([
    ["5", [5]],
    ["5-7", [5, 6, 7]],
    ["5-9/2", [5, 7, 9]],
    ["50/5", [50, 55]],
    ["*/20", [0, 20, 40]],
    ["3,1,2", [3, 1, 2]],
    ["1-3,2-4", [1, 2, 3, 4]],
    ["07", [7]],
    ["+7", [7]],
    ["1,,2", [1, 2]],
    [",", []],
    ["59/99999999999", [59]],
    ["*-3/30", [0, 30]],
  ])("parses the minutes %s", (text, values) => {
    expect(minutes(text)).toEqual(values);
  });

  it("parses names of days and months in any case", () => {
    expect([...(days("Mon-FRI/2")?.values ?? [])]).toEqual([1, 3, 5]);
    expect([...(fields("* * * jan,DEC *")[3]?.values ?? [])]).toEqual([1, 12]);
  });

  it.each([
    ["*", true],
    ["?", true],
    ["*/1", true],
    ["*/2", false],
    ["0-6", false],
    ["1,*", true],
  ])("treats days %s as a star: %s", (text, isStar) => {
    expect(days(text)?.isStar).toBe(isStar);
  });

  it.each([
    ["@yearly", "0 0 1 1 *"],
    ["@annually", "0 0 1 1 *"],
    ["@monthly", "0 0 1 * *"],
    ["@weekly", "0 0 * * 0"],
    ["@daily", "0 0 * * *"],
    ["@midnight", "0 0 * * *"],
    ["@hourly", "0 * * * *"],
  ])("%s is %s", (name, text) => {
    expect(fields(name)).toEqual(fields(text));
  });

  it.each([
    ["@every 90m", 5_400_000],
    ["@every 1s999ms", 1000],
    ["@every 1ms", 1000],
    ["@every -5m", 1000],
    ["TZ=UTC @every 1h", 3_600_000],
  ])("%s is %d milliseconds", (text, everyMs) => {
    expect(parseCronSchedule(text)).toEqual({ type: "interval", everyMs });
  });

  it.each([
    ["", "empty spec string"],
    [" ", "expected exactly 5 fields, found 0: []"],
    ["TZ=UTC ", "expected exactly 5 fields, found 0: []"],
    ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
    ["* * * * 7", "end of range (7) above maximum (6): 7"],
    ["* * * 0 *", "beginning of range (0) below minimum (1): 0"],
    ["-1 * * * *", 'failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ["*/-1 * * * *", "negative number (-1) not allowed: -1"],
    ["* * * mon *", 'failed to parse int from mon: strconv.Atoi: parsing "mon": invalid syntax'],
    ["@Daily", "unrecognized descriptor: @Daily"],
    ["@every", "unrecognized descriptor: @every"],
    ["TZ=Mars/Base * * * * *", "provided bad location Mars/Base: unknown time zone Mars/Base"],
    ["CRON_TZ=UTC", "invalid schedule format: runtime error: slice bounds out of range [:-1]"],
  ])("rejects %j", (text, problem) => {
    expect(() => parseCronSchedule(text)).toThrow(expect.objectContaining({ name: "ValueSyntaxError", message: problem }));
  });
});
