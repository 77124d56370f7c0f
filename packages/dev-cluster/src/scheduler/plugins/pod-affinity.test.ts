import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeIn, placeIn, podIn, viewOf } from "../../testing/scheduling-objects.ts";
import { podAffinity } from "./pod-affinity.ts";

const term = (topologyKey: string, app: string, more: object = {}) => ({ topologyKey, labelSelector: { matchLabels: { app } }, ...more });

describe("podAffinity", () => {
  it("prepares nothing for pods without terms", () => {
    const node = nodeIn("a", { zone: "x" });
    placeIn(node, podIn("b", { labels: { app: "web" } }));
    expect(podAffinity(podIn("p"), viewOf([node]))).toBeUndefined();
  });

  it("selects other namespaces by name, by label, or all", () => {
    const node = nodeIn("a", { zone: "x" });
    placeIn(node, podIn("b", { namespace: "red", labels: { app: "web" } }));
    const can = (more: object): boolean =>
      podAffinity(
        podIn("p", {
          spec: { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term("zone", "web", more)] } } },
        }),
        viewOf([node], { red: { color: "red" } }),
      )?.(node) === undefined;
    expect([
      can({}),
      can({ namespaces: ["red"] }),
      can({ namespaces: ["blue"] }),
      can({ namespaceSelector: { matchLabels: { color: "red" } } }),
      can({ namespaceSelector: { matchLabels: { color: "blue" } } }),
      can({ namespaceSelector: {} }),
    ]).toEqual([false, true, false, true, false, true]);
  });

  it("satisfies required affinity and anti-affinity of all pods", () => {
    const apps = ["a", "b"] as const;
    const keys = ["zone", "host"] as const;
    const wish = fc.option(fc.record({ key: fc.constantFrom(...keys), app: fc.constantFrom(...apps) }), { nil: undefined });
    const there = fc.record({ node: fc.nat(3), app: fc.constantFrom(...apps), refuses: wish });
    fc.assert(
      fc.property(fc.array(there, { maxLength: 6 }), fc.constantFrom(...apps), wish, wish, (placed, app, wants, refuses) => {
        const nodes = [0, 1, 2, 3].map((index) =>
          nodeIn(`n${index}`, { host: `n${index}`, ...(index < 3 ? { zone: index < 2 ? "x" : "y" } : {}) }),
        );
        const anti = (given: typeof refuses) =>
          given === undefined ? {} : { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(given.key, given.app)] } };
        for (const [index, each] of placed.entries())
          placeIn(nodes[each.node], podIn(`p${index}`, { labels: { app: each.app }, spec: { affinity: anti(each.refuses) } }));
        const pod = podIn("p", {
          labels: { app },
          spec: {
            affinity: {
              ...(wants === undefined
                ? {}
                : { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(wants.key, wants.app)] } }),
              ...anti(refuses),
            },
          },
        });
        const filter = podAffinity(pod, viewOf(nodes));
        for (const node of nodes) {
          const isNear = (other: number, key: string): boolean =>
            node.labels[key] !== undefined && nodes[other]?.labels[key] === node.labels[key];
          const isAnywhere = placed.some((each) => each.app === wants?.app && nodes[each.node]?.labels[wants.key] !== undefined);
          const isFirst = wants !== undefined && wants.app === app && !isAnywhere && node.labels[wants.key] !== undefined;
          const hasWanted = wants === undefined || isFirst || placed.some((each) => each.app === wants.app && isNear(each.node, wants.key));
          const hasRefused = refuses !== undefined && placed.some((each) => each.app === refuses.app && isNear(each.node, refuses.key));
          const isRefused = placed.some(
            (each) => each.refuses !== undefined && each.refuses.app === app && isNear(each.node, each.refuses.key),
          );
          expect(filter?.(node) === undefined).toBe(hasWanted && !hasRefused && !isRefused);
        }
      }),
    );
  });
});
