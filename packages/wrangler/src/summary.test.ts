import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { summarize } from "./summary.ts";

const clock = new ManualClock();
const of = (parts: object, kind = "demo.example.com/v1 App"): DeepReadonly<KubeObject> => {
  const [apiVersion = "", name = ""] = kind.split(" ");
  return { apiVersion, kind: name, metadata: { name: "it" }, ...parts };
};
const saying = (...conditions: readonly string[]): object => ({
  status: {
    conditions: conditions
      .map((text) => text.split(" "))
      .map(([type, status, reason = "", message = `${type ?? ""} says`]) => ({ type, status, reason, message })),
  },
});
const words = (object: DeepReadonly<KubeObject>): string => {
  const { state, error, transitioning, message } = summarize(object, clock);
  return [state, ...(error ? ["error"] : []), ...(transitioning ? ["transitioning"] : []), ...message].join(", ");
};

const deployment = (status: object, kind = "apps/v1 Deployment"): DeepReadonly<KubeObject> =>
  of({ metadata: { name: "it", generation: 2 }, spec: { replicas: 3 }, status: { observedGeneration: 2, ...status } }, kind);

describe("summarize", () => {
  it.each<[string, DeepReadonly<KubeObject>, string]>([
    ["an object without conditions", of({}), "active"],
    [
      "an object with its own summary",
      of({ status: { summary: { state: "Paused", error: true, transitioning: "true", message: "by hand" } } }),
      "paused, error, transitioning, by hand",
    ],
    ["a display before a summary", of({ status: { display: { state: "a" }, summary: { state: "b" } } }), "a"],
    ["an error condition", of(saying("Failed True")), "error, error, Failed says"],
    ["a condition with reason Error", of(saying("Anything True Error")), "error, error, Anything says"],
    ["a condition that is no error for this kind", of(saying("Failed True"), "v1 Node"), "in-progress, transitioning, is not Ready"],
    ["an error condition of this kind", of(saying("DiskPressure True", "Ready True"), "v1 Node"), "error, error, DiskPressure says"],
    ["a condition that is False but should be True", of(saying("Deployed False")), "deploying, error, Deployed says"],
    ["an Unknown condition", of(saying("Deployed Unknown")), "deploying, transitioning, Deployed says"],
    ["the first of two Unknown conditions", of(saying("Deployed Unknown", "Built Unknown")), "deploying, transitioning, Deployed says"],
    ["a condition that is True while transitioning", of(saying("Reconciling True")), "reconciling, transitioning, Reconciling says"],
    ["a condition that is False while transitioning", of(saying("Available False")), "updating, transitioning, Available says"],
    ["an Unknown condition that should not be", of(saying("Available Unknown")), "updating, error, Available says"],
    ["a more specific condition before Ready", of(saying("Ready False", "Completed False")), "activating, transitioning, Completed says"],
    ["only a Ready condition", of(saying("Ready False")), "unavailable, transitioning, Ready says"],
    ["a condition whose reason is the state", of(saying("NodeHealthy False NodeMissing")), "nodemissing, transitioning, NodeHealthy says"],
    ["spec.active false", of({ spec: { active: false } }), "inactive"],
    ["a phase", of({ status: { phase: "Pending" } }, "v1 Pod"), "pending"],
    [
      "a phase Succeeded before conditions",
      of({ status: { phase: "Succeeded", ...(saying("Ready False") as { status: object }).status } }, "v1 Pod"),
      "succeeded, Ready says",
    ],
    [
      "an unschedulable Pod",
      of({ status: { phase: "Pending", ...(saying("PodScheduled False Unschedulable") as { status: object }).status } }, "v1 Pod"),
      "scheduling, error, PodScheduled says",
    ],
    ["a running Job", of({ status: { startTime: "2026-01-01T00:00:00Z" } }, "batch/v1 Job"), "active"],
    ["a Job that has not started", of({}, "batch/v1 Job"), "in-progress, transitioning, has not completed"],
    ["a failed Job", of(saying("Failed True BackoffLimitExceeded"), "batch/v1 Job"), "error, error, Failed says"],
    ["a complete Deployment", deployment({ replicas: 3, updatedReplicas: 3, availableReplicas: 3 }), "active"],
    [
      "a Deployment during a rollout",
      deployment({ replicas: 3, updatedReplicas: 2, availableReplicas: 3 }),
      "in-progress, transitioning, 2 of 3 updated",
    ],
    [
      "a Deployment that its controller has not observed",
      deployment({ observedGeneration: 1 }),
      "in-progress, transitioning, its controller has observed generation 1 of 2",
    ],
    [
      "a Service without an address",
      of({ spec: { type: "LoadBalancer" } }, "v1 Service"),
      "pending, transitioning, Load balancer is being provisioned",
    ],
  ])("summarizes %s (§3.24)", (_what, object, expected) => {
    expect(words(object)).toBe(expected);
  });

  it("reports a Deployment without progress as an error (§3.24)", () => {
    const { status } = saying("Progressing False ProgressDeadlineExceeded stuck") as { status: object };
    expect(words(deployment(status))).toBe("error, error, stuck");
  });

  it("reports which finalizer a deletion waits for, and an error after five minutes (§3.24)", () => {
    const going = (finalizers: readonly string[], deletionTimestamp = "2026-01-01T00:00:00Z"): DeepReadonly<KubeObject> =>
      of({ metadata: { name: "it", deletionTimestamp, finalizers }, ...saying("Ready True", "Removed False") });
    expect(words(going([]))).toBe("removing, error, transitioning, Removed says");
    expect(words(of({ metadata: { name: "it", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["foregroundDeletion"] } }))).toBe(
      "removing, transitioning, waiting on object cleanup",
    );
    expect(
      words(of({ metadata: { name: "it", deletionTimestamp: "2025-12-31T23:54:59Z", finalizers: ["controller.cattle.io/mover"] } })),
    ).toBe("removing, error, transitioning, waiting on mover");
  });

  it("contains no duplicate or empty messages", () => {
    expect(
      summarize(
        of({
          status: {
            conditions: [
              { type: "Failed", status: "True", message: "no" },
              { type: "Stalled", status: "True", message: "no" },
              { type: "OutOfDisk", status: "True" },
            ],
          },
        }),
        clock,
      ).message,
    ).toEqual(["no"]);
  });
});
