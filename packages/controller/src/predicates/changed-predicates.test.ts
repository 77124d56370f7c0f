import { deepFreeze, not } from "@drover/machinery";
import type { KubeObject, ObjectMeta } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { annotationChanged, generationChanged, labelChanged, onlyStatusChanged, resourceVersionChanged } from "./changed-predicates.ts";

interface Thing extends KubeObject {
  spec?: unknown;
  status?: unknown;
}
const thing = (metadata: ObjectMeta, rest: { readonly spec?: unknown; readonly status?: unknown } = {}): Thing =>
  deepFreeze({ metadata: { namespace: "shop", name: "web", ...metadata }, ...rest }) as Thing;

describe("predicates on what changed", () => {
  const all = [generationChanged, labelChanged, annotationChanged, resourceVersionChanged];

  it("pass additions and deletions (§9.14)", () => {
    for (const holds of all)
      expect([holds(added(thing({}))), holds(added(thing({}), true)), holds(deleted(thing({})))]).toEqual([true, true, true]);
  });

  it("drop a resync", () => {
    const same = thing({ generation: 1, resourceVersion: "7", labels: { a: "1" }, annotations: { a: "1" } });
    for (const holds of all) expect(holds(updated(same, same))).toBe(false);
  });

  it("pass an update after a restore of the server, which counts the same versions and generations again (SEC2)", () => {
    const [before, after] = [
      thing({ generation: 1, resourceVersion: "7" }, { spec: 1 }),
      thing({ generation: 1, resourceVersion: "7" }, { spec: 2 }),
    ];
    const change = { ...updated(before, after), isNewEpoch: true };
    expect([generationChanged(change), resourceVersionChanged(change), not(onlyStatusChanged)(change)]).toEqual([true, true, true]);
  });

  const rows: readonly [string, ObjectMeta, ObjectMeta, readonly [generation: boolean, label: boolean, annotation: boolean]][] = [
    ["a new generation", { generation: 1 }, { generation: 2 }, [true, false, false]],
    [
      "the start of a deletion, which increments the generation",
      { generation: 1 },
      { generation: 2, deletionTimestamp: "2026-01-01T00:00:00Z" },
      [true, false, false],
    ],
    ["a finalizer, which does not", { generation: 1 }, { generation: 1, finalizers: ["x"] }, [false, false, false]],
    ["an added label", { labels: { a: "1" } }, { labels: { a: "1", b: "2" } }, [false, true, false]],
    ["the first label", {}, { labels: { a: "1" } }, [false, true, false]],
    ["a changed value", { labels: { a: "1" } }, { labels: { a: "2" } }, [false, true, false]],
    ["labels in another order", { labels: { a: "1", b: "2" } }, { labels: { b: "2", a: "1" } }, [false, false, false]],
    ["no labels instead of an empty set", { labels: {} }, {}, [false, false, false]],
    ["a removed annotation", { annotations: { a: "1" } }, {}, [false, false, true]],
    ["a label named __proto__", {}, { labels: JSON.parse(`{"__proto__":"x"}`) as Record<string, string> }, [false, true, false]],
  ];
  for (const [what, before, after, expected] of rows) {
    it(`distinguish ${what}`, () => {
      const change = updated(thing({ ...before, resourceVersion: "1" }), thing({ ...after, resourceVersion: "2" }));
      expect([generationChanged, labelChanged, annotationChanged].map((holds) => holds(change))).toEqual(expected);
      expect(resourceVersionChanged(change)).toBe(true);
    });
  }
});

describe("onlyStatusChanged", () => {
  const before = thing(
    { resourceVersion: "1", generation: 1, managedFields: [{ manager: "a" }] },
    { spec: { replicas: 1 }, status: { ready: 0 } },
  );

  it("holds if only status, managedFields, version and generation changed", () => {
    expect(
      onlyStatusChanged(
        updated(
          before,
          thing(
            { resourceVersion: "2", generation: 1, managedFields: [{ manager: "b" }] },
            { spec: { replicas: 1 }, status: { ready: 1 } },
          ),
        ),
      ),
    ).toBe(true);
    expect(onlyStatusChanged(updated(before, thing({ resourceVersion: "2", generation: 2 }, { spec: { replicas: 1 } })))).toBe(true);
  });

  const others: readonly [string, Thing][] = [
    ["spec", thing({ resourceVersion: "2", generation: 2 }, { spec: { replicas: 2 }, status: { ready: 1 } })],
    ["labels", thing({ resourceVersion: "2", generation: 1, labels: { a: "1" } }, { spec: { replicas: 1 }, status: { ready: 1 } })],
    ["finalizers", thing({ resourceVersion: "2", generation: 1, finalizers: ["x"] }, { spec: { replicas: 1 } })],
    [
      "deletionTimestamp",
      thing({ resourceVersion: "2", generation: 1, deletionTimestamp: "2026-01-01T00:00:00Z" }, { spec: { replicas: 1 } }),
    ],
  ];
  for (const [what, after] of others)
    it(`does not hold if ${what} changed as well`, () => expect(onlyStatusChanged(updated(before, after))).toBe(false));

  it("does not hold for additions, deletions and resyncs, so that its negation passes them", () => {
    expect([added(before), added(before, true), deleted(before), updated(before, before)].map(not(onlyStatusChanged))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it("holds for any two states of the status, and for no two of anything else", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 1 }), fc.jsonValue({ maxDepth: 1 }), fc.constantFrom("spec", "data", "stats"), (a, b, field) => {
        const state = (value: unknown, at: string, resourceVersion: string): Thing => ({
          metadata: { name: "x", resourceVersion },
          [at]: value,
        });
        expect(onlyStatusChanged(updated(state(a, "status", "1"), state(b, "status", "2")))).toBe(true);
        expect(onlyStatusChanged(updated(state([a], field, "1"), state({ b }, field, "2")))).toBe(false);
      }),
    );
  });
});
