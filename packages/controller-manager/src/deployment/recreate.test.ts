import { describe, expect, it } from "vitest";
import { pod, replicaSet } from "../testing/workload-objects.ts";
import type { PodParts } from "../testing/workload-objects.ts";
import { oldPodsRunning } from "./recreate.ts";

describe("oldPodsRunning", () => {
  const running = (status: number, ...phases: readonly PodParts[]): boolean =>
    oldPodsRunning([replicaSet({ status: { replicas: status } })], () => phases.map(pod));
  it("D056: is false without an old ReplicaSet", () => {
    expect(oldPodsRunning([], () => [pod()])).toBe(false);
  });

  it("D057, D058: is true when an old ReplicaSet has pods, or reports some", () => {
    expect(running(1, {})).toBe(true);
    expect(running(1)).toBe(true);
  });

  it("D059: is false when it has and reports none", () => {
    expect(running(0)).toBe(false);
  });

  it("ignores pods that succeeded or failed", () => {
    expect(running(0, { phase: "Succeeded" }, { phase: "Failed" })).toBe(false);
  });

  it("D061, D062, D063, D064: is true in any other phase, and for terminating pods", () => {
    for (const phase of ["Unknown", "Pending", "Running"] as const) expect(running(0, { phase })).toBe(true);
    expect(running(0, { phase: "Failed" }, { phase: "Pending" })).toBe(true);
    expect(running(0, { isDeleting: true })).toBe(true);
  });
});
