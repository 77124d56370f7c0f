import { describe, expect, it } from "vitest";
import { daemonPod } from "../testing/daemon-set-objects.ts";
import { pod } from "../testing/workload-objects.ts";
import { podsByNode } from "./pods-by-node.ts";

const names = (...pods: Parameters<typeof podsByNode>[0]): Readonly<Record<string, unknown>> =>
  Object.fromEntries([...podsByNode(pods)].map(([node, found]) => [node, found.map(({ metadata }) => metadata.name)]));

describe("pods by node", () => {
  it("are those on a node before those on their way, the oldest first, by name where they are of one age", () => {
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

  it("leave out what has ended and is being deleted, and what is for no node; what is only one of both stays", () => {
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
