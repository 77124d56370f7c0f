import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { node } from "../testing/node-objects.ts";
import { pod } from "../testing/workload-objects.ts";
import type { PodParts } from "../testing/workload-objects.ts";
import { missingNodes, surplusTerminated, terminatingOutOfService, terminatingUnscheduled } from "./doomed-pods.ts";

const names = (pods: readonly PodView[]): readonly (string | undefined)[] => pods.map(({ metadata }) => metadata.name);
const ended = (name: string, createdAgo: number, phase: PodParts["phase"] = "Failed"): PodView => pod({ name, createdAgo, phase });
const evicted = (name: string, createdAgo: number): PodView => {
  const one = ended(name, createdAgo);
  return { ...one, status: { ...one.status, reason: "Evicted" } };
};

describe("surplusTerminated", () => {
  it("returns none within the limit and ignores running pods", () => {
    expect(
      surplusTerminated(
        [ended("a", 3), ended("b", 2, "Succeeded"), ended("c", 1, "Running"), ended("d", 1, "Pending"), ended("e", 1, "Unknown")],
        2,
      ),
    ).toEqual([]);
  });

  it("returns the oldest, then by name", () => {
    expect(names(surplusTerminated([ended("c", 5), ended("a", 3), ended("b", 5, "Succeeded"), ended("d", 9)], 1))).toEqual(["d", "b", "c"]);
  });

  it("returns evicted pods before all others", () => {
    expect(
      names(
        surplusTerminated(
          [ended("a", 9), ended("b", 8), evicted("c", 1), { ...ended("d", 9, "Running"), status: { phase: "Running", reason: "Evicted" } }],
          1,
        ),
      ),
    ).toEqual(["c", "a"]);
  });

  it("counts pods of unknown phase as finished", () => {
    expect(names(surplusTerminated([{ metadata: { name: "a" } }, ended("b", 1)], 1))).toEqual(["a"]);
  });
});

describe("terminating pods", () => {
  const nodes = [
    node({ name: "out", ready: "False", taints: ["node.kubernetes.io/out-of-service:NoExecute"] }),
    node({ name: "silent", ready: "Unknown" }),
    node({ name: "busy", taints: ["node.kubernetes.io/out-of-service:NoExecute"] }),
  ];
  const nodeOf = (name: string): (typeof nodes)[number] | undefined => nodes.find(({ metadata }) => metadata.name === name);

  it("are doomed on an out-of-service node that is not ready, and on no other", () => {
    const pods = ["out", "silent", "busy", "gone"].flatMap((on) => [
      pod({ name: `${on}-stays`, node: on }),
      pod({ name: `${on}-goes`, node: on, isDeleting: true }),
    ]);
    expect(names(terminatingOutOfService([...pods, pod({ name: "nowhere", isDeleting: true })], nodeOf))).toEqual(["out-goes"]);
  });

  it("are doomed without a node, in any phase", () => {
    const pods = (["Failed", "Succeeded", "Running", "Pending"] as const).flatMap((phase) => [
      pod({ name: `${phase}-goes`, phase, isDeleting: true }),
      pod({ name: `${phase}-stays`, phase }),
      pod({ name: `${phase}-placed`, phase, node: "silent", isDeleting: true }),
    ]);
    expect(names(terminatingUnscheduled(pods))).toEqual(["Failed-goes", "Succeeded-goes", "Running-goes", "Pending-goes"]);
  });

  it("let missingNodes name the nodes that are missing", () => {
    expect([...missingNodes([pod({ node: "out" }), pod({ node: "x" }), pod({ node: "x", phase: "Failed" }), pod()], nodeOf)]).toEqual([
      "x",
    ]);
  });
});
