import { describe, expect, it } from "vitest";
import { daemonPod } from "../testing/daemon-set-objects.ts";
import { pod } from "../testing/workload-objects.ts";
import { podsByNode } from "./pods-by-node.ts";

const names = (...pods: Parameters<typeof podsByNode>[0]): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...podsByNode(pods)].map(([node, found]) => [node, found.map(({ metadata }) => metadata.name)]));

describe("podsByNode", () => {
  it("sorts bound pods before unbound ones, then by age and name", () => {
    expect(
      names(
        daemonPod({ name: "young", createdAgo: 1 }),
        daemonPod({ name: "pending", isPlaced: false, createdAgo: 99 }),
        daemonPod({ name: "b", createdAgo: 5 }),
        daemonPod({ name: "a", createdAgo: 5 }),
        daemonPod({ on: "n2", name: "other" }),
      ),
    ).toEqual({ n1: ["a", "b", "young", "pending"], n2: ["other"] });
  });

  it("leaves out finished terminating pods and pods without a node, but keeps pods that are only one of both", () => {
    expect(
      names(
        daemonPod({ name: "over", phase: "Failed", isDeleting: true }),
        daemonPod({ name: "done", phase: "Succeeded", isDeleting: true }),
        pod({ name: "lost" }),
        daemonPod({ name: "failed", phase: "Failed" }),
        daemonPod({ name: "going", isDeleting: true }),
      ),
    ).toEqual({ n1: ["failed", "going"] });
  });
});
