import { describe, expect, it } from "vitest";
import { pod, replicaSet } from "../testing/workload-objects.ts";
import type { PodParts } from "../testing/workload-objects.ts";
import { oldPodsRunning } from "./recreate.ts";

describe("old pods", () => {
  const running = (status: number, ...phases: readonly PodParts[]): boolean =>
    oldPodsRunning([replicaSet({ status: { replicas: status } })], () => phases.map(pod));
  it("D056: are none without an old ReplicaSet", () => {
    expect(oldPodsRunning([], () => [pod()])).toBe(false);
  });

  it("D057, D058: are there when a ReplicaSet has some, or only says so", () => {
    expect(running(1, {})).toBe(true);
    expect(running(1)).toBe(true);
  });

  it("D059: are gone when neither is", () => {
    expect(running(0)).toBe(false);
  });

  it("that succeeded or failed do nothing any more", () => {
    expect(running(0, { phase: "Succeeded" }, { phase: "Failed" })).toBe(false);
  });

  it("D061, D062, D063, D064: may be running in any other phase, and while they are being deleted", () => {
    for (const phase of ["Unknown", "Pending", "Running"] as const) expect(running(0, { phase })).toBe(true);
    expect(running(0, { phase: "Failed" }, { phase: "Pending" })).toBe(true);
    expect(running(0, { isDeleting: true })).toBe(true);
  });
});
