import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { LimitRangeItem } from "@drover/api/core/v1";
import { limitRangeStrategy } from "./limit-range-strategy.ts";

const texts = (...limits: LimitRangeItem[]): string[] =>
  (limitRangeStrategy.validate?.({ metadata: { name: "a" }, spec: { limits } }) ?? []).map(printFieldError);

describe("LimitRange strategy", () => {
  it("requires unique limit types, known or qualified", () => {
    expect(texts({ type: "Container" }, { type: "example.com/Thing" })).toEqual([]);
    expect(texts({ type: "Pod" }, { type: "Pod" }, { type: "Zed" })).toEqual([
      'spec.limits[1].type: Duplicate value: "Pod"',
      'spec.limits[2].type: Invalid value: "Zed": must be a standard limit type or fully qualified',
    ]);
  });

  it("requires min, defaults and max in order", () => {
    expect(texts({ type: "Container", min: { cpu: "2" }, max: { cpu: "1" } })).toEqual([
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    ]);
    expect(texts({ type: "Container", min: { cpu: "1" }, max: { cpu: "2" }, maxLimitRequestRatio: { cpu: "3" } })).toEqual([
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000',
    ]);
  });

  it("refuses defaults for pods and requires storage for claims", () => {
    expect(texts({ type: "Pod", default: { cpu: "1" } })).toEqual([
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
    ]);
    expect(texts({ type: "PersistentVolumeClaim" })).toEqual([
      "spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided",
    ]);
  });

  it("refuses overcommitment of extended resources", () => {
    expect(texts({ type: "Container", default: { "a.b/gpu": "2" }, defaultRequest: { "a.b/gpu": "1" } })).toEqual([
      'spec.limits[0].defaultRequest[a.b/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in a.b/gpu',
    ]);
  });
});
