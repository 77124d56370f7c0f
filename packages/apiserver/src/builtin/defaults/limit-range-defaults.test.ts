import type { LimitRange, LimitRangeItem } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setLimitRangeDefaults } from "./limit-range-defaults.ts";

const made = (item: LimitRangeItem): LimitRangeItem | undefined => {
  const range: LimitRange = { metadata: {}, spec: { limits: [item] } };
  setLimitRangeDefaults(range);
  return range.spec?.limits[0];
};

describe("defaults of LimitRange for containers", () => {
  it("set limits to max, and requests to the limits or else to min", () => {
    expect(made({ type: "Container", max: { cpu: "2" }, min: { cpu: "1", memory: "1Mi" }, default: { "a/b": "5" } })).toEqual({
      type: "Container",
      max: { cpu: "2" },
      min: { cpu: "1", memory: "1Mi" },
      default: { "a/b": "5", cpu: "2" },
      defaultRequest: { "a/b": "5", cpu: "2", memory: "1Mi" },
    });
  });

  it("do not invent values, and apply to containers only", () => {
    expect(made({ type: "Container" })).toEqual({ type: "Container" });
    expect(made({ type: "Pod", max: { cpu: "2" } })).toEqual({ type: "Pod", max: { cpu: "2" } });
  });

  it("round quantities", () => {
    expect(made({ type: "Pod", max: { cpu: "1u" }, maxLimitRequestRatio: { cpu: "1.0001" } })).toEqual({
      type: "Pod",
      max: { cpu: "1m" },
      maxLimitRequestRatio: { cpu: "1001m" },
    });
  });
});
