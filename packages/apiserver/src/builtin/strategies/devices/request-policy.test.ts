import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { CapacityRequestPolicy } from "@drover/api/resource/v1";
import { validateRequestPolicy } from "./request-policy.ts";

const texts = (policy: CapacityRequestPolicy): string[] => validateRequestPolicy("10", policy, "p").map(printFieldError);

describe("validation of a request policy", () => {
  it("accepts values in order, or a range with steps, with a default among them", () => {
    expect(texts({ default: "2", validValues: ["1", "2"] })).toEqual([]);
    expect(texts({ default: "4", validRange: { min: "2", max: "8", step: "2" } })).toEqual([]);
    expect(texts({})).toEqual([]);
  });

  it("refuses both, and either without a default", () => {
    expect(texts({ default: "1", validValues: ["1"], validRange: { min: "1" } })).toHaveLength(1);
    expect(texts({ validValues: ["1"] })).toEqual(["p.default: Required value: required when validValues is defined"]);
    expect(texts({ validRange: { min: "1" } })).toEqual(["p.default: Required value: required when validRange is defined"]);
  });

  it("refuses values out of order, too large, or without the default", () => {
    expect(texts({ default: "3", validValues: ["2", "1", "11"] })).toEqual([
      'p.validValues[1]: Invalid value: "1": values must be sorted in ascending order',
      'p.validValues[2]: Invalid value: "11": option is larger than capacity value: 10',
      'p.validValues: Invalid value: "3": default value is not valid according to the requestPolicy',
    ]);
  });

  it("refuses ranges that the capacity or the default do not fit, and steps that miss them", () => {
    expect(texts({ default: "1", validRange: { min: "2", max: "12" } })).toEqual([
      'p.validRange.min: Invalid value: "1": default is less than min: 2',
      'p.validRange.max: Invalid value: "12": max is larger than capacity value: 10',
    ]);
    expect(texts({ default: "3", validRange: { min: "2", step: "2" } })).toEqual([
      'p.validRange.step: Invalid value: "3": value is not a multiple of a given step (2) from (2)',
    ]);
  });
});
