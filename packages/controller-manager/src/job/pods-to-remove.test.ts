import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { job, jobPod } from "./testing/running-job.ts";
import { uidOf } from "./job-picture.ts";
import { podsToRemove } from "./pods-to-remove.ts";

const removed = (of: ReturnType<typeof job>, atLeast: number, ...pods: readonly PodView[]): readonly string[] =>
  podsToRemove(of, pods, atLeast).map(uidOf);
const indexed = job({ completionMode: "Indexed", completions: 3 });

describe("podsToRemove", () => {
  it("returns the least useful pods", () => {
    const pods = [jobPod({ name: "ready", isReady: true }), jobPod({ name: "pending", phase: "Pending" }), jobPod({ name: "running" })];
    expect([removed(job(), 1, ...pods), removed(job(), 2, ...pods), removed(job(), 0, ...pods)]).toEqual([
      ["pending"],
      ["pending", "running"],
      [],
    ]);
  });

  it("J032, J066: returns first pods without a valid index and duplicates, of which the best stays", () => {
    const pods = [
      jobPod({ name: "none" }),
      jobPod({ name: "odd", index: "x" }),
      jobPod({ name: "beyond", index: 3 }),
      jobPod({ name: "one", index: 1, phase: "Pending" }),
      jobPod({ name: "best", index: 1, isReady: true }),
      jobPod({ name: "other", index: 1 }),
      jobPod({ name: "zero", index: 0 }),
    ];
    expect(removed(indexed, 0, ...pods).toSorted()).toEqual(["beyond", "none", "odd", "one", "other"]);
    expect(removed(indexed, 6, ...pods).at(-1)).toBe("zero");
  });
});
