import { describe, expect, it } from "vitest";
import { shuffle, createRandom } from "@drover/machinery";
import { pod, start } from "../testing/workload-objects.ts";
import type { PodParts } from "../testing/workload-objects.ts";
import { comparePods, rankedPodOrder } from "./pod-order.ts";
import type { PodOrder } from "./pod-order.ts";

const cost = (value: number): Pick<PodParts, "annotations"> => ({
  annotations: { "controller.kubernetes.io/pod-deletion-cost": String(value) },
});

/** Sorts pods from any order and gives their names. */
function inOrder(order: PodOrder, expected: readonly PodParts[]): void {
  const pods = expected.map((parts, index) => pod({ name: `p${String(index).padStart(2, "0")}`, ...parts }));
  const random = createRandom(7);
  for (let round = 0; round < 20; round++)
    expect(
      shuffle(random, pods)
        .toSorted(order)
        .map(({ metadata }) => metadata.name),
    ).toEqual(pods.map(({ metadata }) => metadata.name));
}

describe("comparePods", () => {
  it("C007: sorts the least useful first", () => {
    inOrder(comparePods, [
      { phase: "Pending" },
      { phase: "Running" },
      { node: "n", phase: "Pending" },
      { node: "n", phase: "Unknown" },
      { node: "n" },
      { node: "n", readyFor: 1, createdAgo: 1 },
      { node: "n", readyFor: 50, restarts: 9 },
      { node: "n", readyFor: 100, restarts: 5 },
      { node: "n", readyFor: 100, restarts: 3, sidecarRestarts: 2 },
      { node: "n", readyFor: 100, restarts: 3, sidecarRestarts: 1 },
      { node: "n", readyFor: 100, restarts: 3 },
      { node: "n", readyFor: 100, createdAgo: 5 },
      { node: "n", readyFor: 100, createdAgo: 9 },
    ]);
  });

  it("C007: then by deletion cost, related pods on the node, and order of magnitude of age", () => {
    const ranks: Readonly<Record<string, number>> = { crowded: 3, lonely: 1 };
    const order = rankedPodOrder({ rankOf: ({ spec }) => ranks[spec?.nodeName ?? ""] ?? 0, now: start });
    inOrder(order, [
      {},
      { node: "lonely", phase: "Pending" },
      { node: "lonely", phase: "Unknown" },
      { node: "lonely" },
      { node: "lonely", readyFor: 9, ...cost(-5) },
      { node: "crowded", readyFor: 9000 },
      { node: "lonely", readyFor: 1 },
      { node: "lonely", readyFor: 1000, restarts: 2 },
      { node: "lonely", readyFor: 1000, createdAgo: 1000 },
      { node: "lonely", readyFor: 1000, createdAgo: 4000 },
      { node: "lonely", readyFor: 9, ...cost(5) },
    ]);
  });

  it("sorts the same order of magnitude by uid, and exactly by time without a current time", () => {
    const [a, b] = [pod({ name: "a", node: "n", uid: "1", readyFor: 1000 }), pod({ name: "b", node: "n", uid: "2", readyFor: 999 })];
    const rankOf = (): number => 0;
    expect(rankedPodOrder({ rankOf, now: start })(a, b)).toBeLessThan(0);
    expect(rankedPodOrder({ rankOf, now: undefined })(a, b)).toBeGreaterThan(0);
  });

  it("sorts unset times first", () => {
    const order = rankedPodOrder({ rankOf: () => 0, now: start });
    expect(order(pod({ node: "n" }), pod({ node: "n", createdAgo: 1 }))).toBeLessThan(0);
    expect(comparePods(pod({ node: "n" }), pod({ node: "n", createdAgo: 1 }))).toBeLessThan(0);
    expect(comparePods(pod(), pod())).toBe(0);
  });
});
