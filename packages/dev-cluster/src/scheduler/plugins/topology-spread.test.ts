import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeIn, nodeIn, podIn, viewOf } from "../../testing/scheduling-objects.ts";
import { topologySpread } from "./topology-spread.ts";

const constraint = {
  maxSkew: 1,
  topologyKey: "zone",
  whenUnsatisfiable: "DoNotSchedule" as const,
  labelSelector: { matchLabels: { app: "web" } },
};

describe("topologySpread", () => {
  it("does not apply to pods without constraints", () => {
    expect(topologySpread(podIn("p"), viewOf([nodeIn("a")]))).toBeUndefined();
  });

  it("refuses a node without the label for good", () => {
    const filter = topologySpread(
      podIn("p", { labels: { app: "web" }, spec: { topologySpreadConstraints: [constraint] } }),
      viewOf([nodeIn("a")]),
    );
    expect(filter?.(nodeIn("a"))).toEqual({
      reasons: ["node(s) didn't match pod topology spread constraints (missing required label)"],
      isFinal: true,
    });
  });

  it("ignores terminating pods, other namespaces, and everything for an empty selector", () => {
    const node = nodeIn("a", { zone: "x" });
    const empty = nodeIn("b", { zone: "y" });
    placeIn(
      node,
      podIn("leaving", { labels: { app: "web" }, isLeaving: true }),
      podIn("other", { labels: { app: "web" }, namespace: "other" }),
    );
    const filterFor = (labelSelector: object) =>
      topologySpread(
        podIn("p", { labels: { app: "web" }, spec: { topologySpreadConstraints: [{ ...constraint, labelSelector }] } }),
        viewOf([node, empty]),
      );
    expect(filterFor(constraint.labelSelector)?.(node)).toBeUndefined();
    placeIn(node, podIn("counted", { labels: { app: "web" } }));
    expect(filterFor(constraint.labelSelector)?.(node)).toEqual({
      reasons: ["node(s) didn't match pod topology spread constraints"],
      isFinal: false,
    });
    expect(filterFor({})?.(node)).toBeUndefined();
  });

  it("refuses a node exactly when maxSkew would be exceeded", () => {
    const zones = fc.array(fc.record({ zone: fc.constantFrom("x", "y", "z"), pods: fc.nat(4) }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        zones,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (given, maxSkew, minDomains, isOne) => {
          const nodes = given.map(({ zone }, index) => nodeIn(`n${index}`, { zone }));
          for (const [index, { pods }] of given.entries())
            for (let count = 0; count < pods; count++) placeIn(nodes[index], podIn(`p${index}-${count}`, { labels: { app: "web" } }));
          const pod = podIn("p", {
            labels: isOne ? { app: "web" } : {},
            spec: { topologySpreadConstraints: [{ ...constraint, maxSkew, minDomains }] },
          });
          const filter = topologySpread(pod, viewOf(nodes));
          for (const node of nodes) {
            const sizes = new Map<string, number>();
            for (const { zone, pods } of given) sizes.set(zone, (sizes.get(zone) ?? 0) + pods);
            const zone = node.labels["zone"] ?? "";
            const least = sizes.size < minDomains ? 0 : Math.min(...sizes.values());
            const isFine = (sizes.get(zone) ?? 0) + (isOne ? 1 : 0) - least <= maxSkew;
            expect(filter?.(node) === undefined).toBe(isFine);
          }
        },
      ),
    );
  });
});
