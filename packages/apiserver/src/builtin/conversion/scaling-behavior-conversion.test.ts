import { describe, expect, it } from "vitest";
import { GoJsonFields } from "./go-json-fields.ts";
import { encodeScalingBehavior, readScalingBehavior } from "./scaling-behavior-conversion.ts";

describe("scaling behavior of autoscaling/v1", () => {
  it("is encoded with capitalized keys, and null for absent values", () => {
    expect(
      JSON.stringify(
        encodeScalingBehavior({
          scaleDown: { selectPolicy: "Max", policies: [{ type: "Pods", value: 4, periodSeconds: 15 }], tolerance: "50m" },
        }),
      ),
    ).toBe(
      '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":"50m"}}',
    );
  });

  it("is decoded case-insensitively", () => {
    expect(
      readScalingBehavior(
        new GoJsonFields({ scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: "Pods" }], tolerance: "100m" } }),
      ),
    ).toEqual({ scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: "Pods", value: 0, periodSeconds: 0 }], tolerance: "100m" } });
  });

  it("is undefined when empty", () => {
    expect(readScalingBehavior(new GoJsonFields({ ScaleUp: null }))).toBeUndefined();
    expect(readScalingBehavior(new GoJsonFields({ ScaleUp: {} }))).toEqual({ scaleUp: {} });
  });
});
