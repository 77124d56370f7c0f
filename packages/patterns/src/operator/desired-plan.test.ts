import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import type { Kind } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { declareController } from "./declared-controller.ts";
import { desiredPlan } from "./desired-plan.ts";
import type { DesiredPlan } from "./desired-plan.ts";
import { hold } from "./hold.ts";
import { slotAnnotation } from "./read-owned.ts";
import { many, one } from "./slot.ts";
import type { Owns } from "./slot.ts";

const plan = (owns: Owns, answer: unknown, kind: Kind = ConfigMap, metadata: object = { name: "web", namespace: "shop" }): DesiredPlan =>
  desiredPlan(answer, declareController("shop", kind, { owns, desired: () => ({}) }), {
    object: { metadata },
    members: new Map(),
    make: () => undefined,
  });

describe("desiredPlan", () => {
  it("returns the objects in slot order, without undefined ones, and the reasons of held slots", () => {
    const { objects, holds } = plan(
      { a: ConfigMap, b: many(ConfigMap), c: ClusterRole },
      {
        c: hold("not yet"),
        b: [{ metadata: { name: "b1" } }, { metadata: { name: "b2" } }],
        a: { metadata: { name: "a", labels: undefined }, data: { x: undefined, y: "1" } },
      },
    );
    expect(objects.map(({ slot, desired: { object } }) => [slot.name, object.metadata.name])).toEqual([
      ["a", "a"],
      ["b", "b1"],
      ["b", "b2"],
    ]);
    expect(objects[0]?.desired.object).toEqual({ metadata: { name: "a", annotations: { [slotAnnotation]: "a" } }, data: { y: "1" } });
    expect(holds).toEqual([{ slot: "c", why: "not yet" }]);
  });

  it("annotates objects with their slot only if two slots share a kind, and does not change its input", () => {
    const given = Object.freeze({ metadata: Object.freeze({ name: "a" }) });
    expect(plan({ a: ConfigMap, c: ClusterRole }, { a: given, c: undefined }).objects[0]?.desired.object).toBe(given);
    expect(plan({ a: ConfigMap, b: ConfigMap }, { a: given, b: undefined }).objects[0]?.desired.object.metadata.annotations).toEqual({
      [slotAnnotation]: "a",
    });
  });

  it("passes the slot's options on", () => {
    expect(
      plan({ a: one(ConfigMap, { onImmutable: "recreate" }) }, { a: { metadata: { name: "a" } } }).objects[0]?.desired.onImmutable,
    ).toBe("recreate");
  });

  it("rejects objects in a wrong namespace and says where they may be", () => {
    expect(() => plan({ c: ClusterRole }, { c: { metadata: { name: "c", namespace: "shop" } } })).toThrow("ClusterRole is cluster-scoped");
    expect(() => plan({ a: ConfigMap }, { a: { metadata: { name: "a" } } }, Namespace, { name: "x" })).toThrow(
      "a has no namespace, and its owner, a Namespace, is cluster-scoped",
    );
    expect(plan({ a: ConfigMap }, { a: { metadata: { name: "a", namespace: "b" } } }, Namespace, { name: "x" }).objects).toHaveLength(1);
  });

  it("rejects values that are not objects", () => {
    for (const wrong of [null, "text", 5, Promise.resolve({})])
      expect(() => plan({ a: many(ConfigMap) }, { a: wrong })).toThrow("slot a: it is");
    expect(() => plan({ a: many(ConfigMap) }, { a: [null] })).toThrow("an item of the list is null");
    for (const wrong of [null, [], "text"]) expect(() => plan({ a: ConfigMap }, wrong)).toThrow("desired: it returns");
    expect(() => plan({ a: many(ConfigMap) }, { a: [{ metadata: { name: "x" } }, { metadata: { name: "x" } }] })).toThrow(
      "slot a contains ConfigMap x twice",
    );
  });

  it("accepts any slot name", () => {
    const owns = JSON.parse('{ "__proto__": 1, "constructor": 1 }') as Record<string, unknown>;
    for (const name of Object.keys(owns)) Object.defineProperty(owns, name, { value: ConfigMap, enumerable: true });
    const answer = JSON.parse('{ "__proto__": { "metadata": { "name": "p" } }, "constructor": { "metadata": { "name": "c" } } }') as object;
    expect(plan(owns as Owns, answer).objects.map(({ desired }) => desired.object.metadata.name)).toEqual(["p", "c"]);
  });
});
