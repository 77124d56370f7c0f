import type { PodFailurePolicyRule } from "@drover/api/batch/v1";
import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { jobPod } from "./testing/running-job.ts";
import { failureVerdict } from "./pod-failure-policy.ts";

const exit = (exitCode: number): ReturnType<typeof jobPod> => jobPod({ phase: "Failed", endedAgo: 1, exitCode });
const codes = (
  action: PodFailurePolicyRule["action"],
  operator: "In" | "NotIn",
  values: number[],
  containerName?: string,
): PodFailurePolicyRule => ({ action, onExitCodes: { operator, values, ...definedOnly({ containerName }) } });
const verdict = (pod: ReturnType<typeof jobPod>, ...rules: PodFailurePolicyRule[]): ReturnType<typeof failureVerdict> =>
  failureVerdict({ rules }, pod);

describe("failureVerdict", () => {
  it("counts a failure without a policy or a matching rule", () => {
    for (const each of [
      failureVerdict(undefined, exit(1)),
      verdict(exit(1)),
      verdict(exit(1), codes("Ignore", "In", [2])),
      verdict(exit(1), codes("Ignore", "NotIn", [1])),
      verdict(exit(1), codes("Ignore", "In", [1], "other")),
    ])
      expect(each).toEqual({ isCounted: true });
  });

  it("fails the Job and names container and rule", () => {
    expect(verdict(exit(42), codes("Ignore", "In", [1]), codes("FailJob", "In", [40, 42]))).toEqual({
      action: "FailJob",
      isCounted: true,
      message: "Container main for pod shop/work-1 failed with exit code 42 matching FailJob rule at index 1",
    });
    const disrupted = jobPod({ phase: "Failed", conditions: [{ type: "DisruptionTarget", status: "True" }] });
    expect(verdict(disrupted, { action: "FailJob", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] })).toMatchObject({
      message: "Pod shop/work-1 has condition DisruptionTarget matching FailJob rule at index 0",
    });
  });

  it("ignores, counts, or fails the index by the first matching rule", () => {
    expect(verdict(exit(1), codes("Ignore", "In", [1]), codes("FailJob", "In", [1]))).toEqual({ action: "Ignore", isCounted: false });
    expect(verdict(exit(1), codes("Count", "NotIn", [2], "main"), codes("FailJob", "In", [1]))).toEqual({
      action: "Count",
      isCounted: true,
    });
    expect(verdict(exit(1), codes("FailIndex", "In", [1]))).toEqual({ action: "FailIndex", isCounted: true });
  });

  it("matches a pod condition with the rule's status", () => {
    const pod = jobPod({ phase: "Failed", conditions: [{ type: "ConfigIssue", status: "False" }] });
    expect([
      verdict(pod, { action: "Ignore", onPodConditions: [{ type: "ConfigIssue", status: "True" }] }).isCounted,
      verdict(pod, { action: "Ignore", onPodConditions: [{ type: "ConfigIssue", status: "False" }] }).isCounted,
    ]).toEqual([true, false]);
  });

  it("never matches a container that succeeded or still runs", () => {
    expect([
      verdict(exit(0), codes("Ignore", "NotIn", [3])).isCounted,
      verdict(jobPod({ phase: "Failed" }), codes("Ignore", "NotIn", [3])).isCounted,
    ]).toEqual([true, true]);
  });
});
