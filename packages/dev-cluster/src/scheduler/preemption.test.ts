import type { PodDisruptionBudget } from "@drover/api/policy/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterNodes } from "./filter-nodes.ts";
import type { LoadedNode } from "./node-load.ts";
import type { PlacedPod } from "./placed-pod.ts";
import { preempt } from "./preemption.ts";
import { nodeIn, placeIn, podIn, viewOf } from "../testing/scheduling-objects.ts";

const none = (): readonly PlacedPod[] => [];

function outcome(pod: PlacedPod, nodes: readonly LoadedNode[], budgets: readonly PodDisruptionBudget[] = []): ReturnType<typeof preempt> {
  const view = { ...viewOf(nodes), budgets: () => budgets };
  return preempt(pod, view, { refusals: filterNodes(pod, view, none), promised: none });
}

describe("preemption", () => {
  it("evicts no pod of equal priority, and none for preemptionPolicy Never", () => {
    const node = nodeIn("a");
    placeIn(node, podIn("old", { cpu: "2", priority: 5 }));
    expect(outcome(podIn("p", { cpu: "1", priority: 5 }), [node])).toEqual({
      type: "none",
      forgetsNode: true,
      message: "no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
    });
    expect(outcome(podIn("p", { cpu: "1", priority: 9, spec: { preemptionPolicy: "Never" } }), [node])).toEqual({
      type: "none",
      forgetsNode: false,
      message: "no new claims to deallocate, preemption: not eligible due to preemptionPolicy=Never.",
    });
  });

  it("violates a disruption budget only when there is no other way", () => {
    const [guarded, free] = [nodeIn("a"), nodeIn("b")];
    placeIn(guarded, podIn("db", { cpu: "2", labels: { app: "db" }, priority: -1 }));
    placeIn(free, podIn("web", { cpu: "2", priority: 3 }));
    const budget = (disruptionsAllowed: number): PodDisruptionBudget => ({
      metadata: { name: "db", namespace: "shop" },
      spec: { selector: { matchLabels: { app: "db" } } },
      status: { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed },
    });
    const pod = podIn("p", { cpu: "1", priority: 9 });
    expect(outcome(pod, [guarded, free], [budget(0)])).toMatchObject({ node: "b" });
    expect(outcome(pod, [guarded, free], [budget(1)])).toMatchObject({ node: "a" });
    expect(outcome(pod, [guarded], [budget(0)])).toMatchObject({ node: "a" });
  });

  it("evicts as few as needed, on the node whose most important victim matters least", () => {
    const pods = fc.array(fc.record({ node: fc.nat(2), cpu: fc.integer({ min: 1, max: 20 }), priority: fc.integer({ min: 0, max: 6 }) }), {
      maxLength: 9,
    });
    fc.assert(
      fc.property(pods, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 7 }), (given, cpu, priority) => {
        const nodes = [nodeIn("a"), nodeIn("b"), nodeIn("c")];
        const used = [0, 0, 0];
        const placed = given.filter((each) => {
          const isRoom = (used[each.node] ?? 0) + each.cpu <= 20;
          if (isRoom) used[each.node] = (used[each.node] ?? 0) + each.cpu;
          return isRoom;
        });
        for (const [index, each] of placed.entries())
          placeIn(nodes[each.node], podIn(`p${index}`, { cpu: `${each.cpu * 100}m`, priority: each.priority }));
        const pod = podIn("p", { cpu: `${cpu * 100}m`, priority });
        if (used.some((sum) => sum + cpu <= 20)) return;
        const result = outcome(pod, nodes);
        // What is the least the worst loss could be, over every set of victims on every node?
        const losses = [0, 1, 2].flatMap((node) => {
          const lesser = placed.filter((each) => each.node === node && each.priority < priority);
          return Array.from({ length: 2 ** lesser.length }, (_, set) => lesser.filter((_each, index) => (set & (1 << index)) > 0))
            .filter((set) => (used[node] ?? 0) - set.reduce((sum, each) => sum + each.cpu, 0) + cpu <= 20)
            .map((set) => Math.max(...set.map((each) => each.priority)));
        });
        expect(result.type === "victims").toBe(losses.length > 0);
        if (result.type !== "victims") return;
        expect(result.victims[0]?.priority).toBe(Math.min(...losses));
        const node = nodes.find(({ name }) => name === result.node);
        for (const victim of result.victims) node?.load.remove(victim.uid);
        const view = viewOf(nodes);
        const fits = (): boolean => filterNodes(pod, view, none)[nodes.findIndex(({ name }) => name === result.node)] === undefined;
        expect(fits()).toBe(true);
        for (const victim of result.victims) {
          placeIn(node, victim);
          expect(fits()).toBe(false);
          node?.load.remove(victim.uid);
        }
      }),
    );
  });
});
