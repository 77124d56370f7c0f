import type { JobSpec } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validatePodFailurePolicy, validateSuccessPolicy } from "./job-policies.ts";

const template = { spec: { containers: [{ name: "c" }] } };
const failure = (...rules: readonly object[]): string[] =>
  texts(validatePodFailurePolicy({ template, podFailurePolicy: { rules } } as unknown as JobSpec, "p"));
const success = (...rules: readonly object[]): string[] =>
  texts(validateSuccessPolicy({ template, completions: 3, successPolicy: { rules } } as unknown as JobSpec, "p"));

describe("validatePodFailurePolicy", () => {
  it("requires either onExitCodes or onPodConditions", () => {
    expect(failure({ action: "Ignore" })).toEqual([
      "p.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required",
    ]);
    expect(
      failure({ action: "Ignore", onExitCodes: { operator: "In", values: [1] }, onPodConditions: [{ type: "A", status: "True" }] }),
    ).toEqual(["p.rules[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported"]);
  });

  it("requires sorted unique exit codes, without 0 for In", () => {
    expect(failure({ action: "FailJob", onExitCodes: { operator: "In", values: [0, 3, 3, 2], containerName: "x" } })).toEqual([
      'p.rules[0].onExitCodes.containerName: Invalid value: "x": must be one of the container or initContainer names in the pod template',
      "p.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator",
      "p.rules[0].onExitCodes.values[2]: Duplicate value: 3",
      "p.rules[0].onExitCodes.values: Invalid value: [0,3,3,2]: must be ordered",
    ]);
  });

  it("requires known actions", () => {
    const onPodConditions = [{ type: "A", status: "True" }];
    expect(failure({ action: "", onPodConditions })).toEqual([
      'p.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
    ]);
    expect(failure({ action: "FailIndex", onPodConditions })).toEqual([
      'p.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
    ]);
  });
});

describe("validateSuccessPolicy", () => {
  it("requires rules that can be met", () => {
    expect(success()).toEqual(["p.rules: Required value: at least one rules must be specified when the successPolicy is specified"]);
    expect(success({ succeededIndexes: "0-1", succeededCount: 2 })).toEqual([]);
    expect(success({}, { succeededCount: 9 }, { succeededIndexes: "0", succeededCount: 2 })).toEqual([
      "p.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified",
      "p.rules[1].succeededCount: Invalid value: 9: must be less than or equal to 3 (the number of specified completions)",
      "p.rules[2].succeededCount: Invalid value: 2: must be less than or equal to 1 (the number of indexes in the specified succeededIndexes field)",
    ]);
  });
});
