import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from "@drover/api/policy/v1";
import { describe, expect, it } from "vitest";
import { samplePod } from "../../../testing/workload-sample.ts";
import { canEvictWithoutBudget, checkDisruptionBudgets, countDisruption, disrupted, mustEvictUnchanged } from "./pod-eviction.ts";

const pod = {
  ...samplePod({}, { labels: { app: "web" } }),
  status: { phase: "Running" as const, conditions: [{ type: "Ready", status: "True" }] },
};
const budget = (status: Partial<PodDisruptionBudgetStatus> = {}, spec: object = {}): PodDisruptionBudget => ({
  metadata: { name: "b", namespace: "default", generation: 1 },
  spec: { selector: { matchLabels: { app: "web" } }, ...spec },
  status: { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0, ...status },
});
const cause = (...budgets: readonly PodDisruptionBudget[]): unknown => {
  const verdict = checkDisruptionBudgets(pod, budgets);
  return verdict.kind === "refused" ? (verdict.status.details?.causes?.[0]?.message ?? verdict.status.message) : verdict.kind;
};

describe("pod eviction", () => {
  it("needs no budget for a finished or pending pod", () => {
    expect([
      canEvictWithoutBudget(pod),
      canEvictWithoutBudget({ ...pod, status: { phase: "Pending" } }),
      canEvictWithoutBudget({ ...pod, status: { phase: "Failed" } }),
    ]).toEqual([false, true, true]);
    expect([
      mustEvictUnchanged({ ...pod, status: { phase: "Pending" } }),
      mustEvictUnchanged({ ...pod, status: { phase: "Failed" } }),
    ]).toEqual([true, false]);
  });

  it("is allowed without a matching PodDisruptionBudget", () => {
    expect(cause()).toBe("allowed");
    expect(
      cause(budget({}, { selector: { matchLabels: { app: "other" } } }), budget({}, { selector: { matchLabels: { "a b": "c" } } })),
    ).toBe("allowed");
  });

  it("is refused with 429 when no disruptions are allowed", () => {
    expect(checkDisruptionBudgets(pod, [budget()])).toMatchObject({
      kind: "refused",
      status: {
        code: 429,
        reason: "TooManyRequests",
        message: "Cannot evict pod as it would violate the pod's disruption budget.",
        details: { causes: [{ reason: "DisruptionBudget", message: "The disruption budget b needs 1 healthy pods and has 1 currently" }] },
      },
    });
    expect(cause(budget({ observedGeneration: 0 }))).toBe("The disruption budget b is still being processed by the server.");
    expect(cause(budget({ currentHealthy: 2 }))).toBe("The disruption budget b does not allow evicting pods currently");
  });

  it("sets the DisruptionTarget condition once", () => {
    const said = {
      type: "DisruptionTarget",
      status: "True",
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
      lastTransitionTime: "1970-01-01T00:00:01Z",
    };
    const marked = disrupted(pod, 1000);
    expect(marked.status?.conditions).toEqual([{ type: "Ready", status: "True" }, said]);
    expect(disrupted(marked, 5000).status?.conditions).toEqual(marked.status?.conditions);
    expect(pod.status.conditions).toHaveLength(1);
  });

  it("is refused when two budgets match", () => {
    expect(cause(budget(), budget())).toBe(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  });

  it("of an unready pod uses no disruption if enough pods are healthy", () => {
    const sick = { ...pod, status: { phase: "Running" as const } };
    expect(checkDisruptionBudgets(sick, [budget()])).toEqual({ kind: "allowed", onlyIfUnchanged: true });
    expect(checkDisruptionBudgets(sick, [budget({ currentHealthy: 0 })])).toMatchObject({ kind: "refused" });
    expect(checkDisruptionBudgets(sick, [budget({ currentHealthy: 0 }, { unhealthyPodEvictionPolicy: "AlwaysAllow" })])).toEqual({
      kind: "allowed",
      onlyIfUnchanged: true,
    });
  });

  it("countDisruption decrements the allowed disruptions and records the pod", () => {
    const allowing = budget({ disruptionsAllowed: 1 });
    expect(cause(allowing)).toBe("counted");
    expect(countDisruption(allowing, "web", 0).status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { web: "1970-01-01T00:00:00Z" },
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "InsufficientPods" }],
    });
    expect(allowing.status?.disruptionsAllowed).toBe(1);
  });
});
