import type { PodStatus } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setPodCondition } from "./pod-condition.ts";

describe("setPodCondition", () => {
  it("adds a condition and changes its time only with its status", () => {
    const status: PodStatus = {};
    setPodCondition(status, { type: "Ready", status: "False" }, 0);
    setPodCondition(status, { type: "Ready", status: "False", reason: "Why" }, 1000);
    expect(status.conditions).toEqual([
      { type: "Ready", status: "False", reason: "Why", lastProbeTime: null, lastTransitionTime: "1970-01-01T00:00:00Z" },
    ]);
    setPodCondition(status, { type: "Ready", status: "True" }, 2000);
    expect(status.conditions).toEqual([{ type: "Ready", status: "True", lastProbeTime: null, lastTransitionTime: "1970-01-01T00:00:02Z" }]);
  });
});
