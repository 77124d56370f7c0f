import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateTimeZone } from "./time-zone.ts";

describe("validateTimeZone", () => {
  it.each([undefined, "UTC", "Europe/Berlin", "Etc/GMT+5"])("accepts %s", (name) => {
    expect(validateTimeZone(name, "spec.timeZone")).toEqual([]);
  });

  it.each([
    ["", 'Invalid value: "": timeZone must be nil or non-empty string'],
    ["Mars/Base", 'Invalid value: "Mars/Base": unknown time zone Mars/Base'],
    ["../etc", 'Invalid value: "../etc": unknown time zone ../etc'],
    ["Local", 'Invalid value: "Local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'],
    ["europe/berlin", 'Invalid value: "europe/berlin": unknown time zone europe/berlin'],
  ])("refuses %j", (name, text) => {
    expect(texts(validateTimeZone(name, "spec.timeZone"))).toEqual([`spec.timeZone: ${text}`]);
  });
});
