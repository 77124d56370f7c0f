import fc from "fast-check";
import type { ObjectMeta, OwnerReference } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { GraphState } from "./graph-state.ts";
import type { GraphEffect } from "./graph-state.ts";
import type { ObjectIdentity } from "./object-identity.ts";

const deletionTimestamp = "2026-01-01T00:00:00Z";
const identity = (
  uid: string,
  { namespace = "shop", kind = "Pod" }: { readonly namespace?: string; readonly kind?: string } = {},
): ObjectIdentity => ({ apiVersion: "v1", kind, namespace, name: uid, uid });
const owner = (uid: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: "v1",
  kind: "Pod",
  name: uid,
  uid,
  ...more,
});
const owned = (...owners: readonly OwnerReference[]): ObjectMeta => ({ ownerReferences: [...owners] });
/** "delete a", "orphan b". */
const asked = (effects: readonly GraphEffect[]): readonly string[] =>
  effects.map((effect) =>
    effect.type === "wrongNamespace" ? `wrong namespace ${effect.dependent.name} → ${effect.owner.name}` : `${effect.type} ${effect.uid}`,
  );

describe("the graph", () => {
  it("has a virtual node for an owner that was not seen, which is looked for", () => {
    const graph = new GraphState();
    expect(asked(graph.observed(identity("child"), owned(owner("a"))))).toEqual(["delete a"]);
    expect(graph.get("a")).toMatchObject({ isVirtual: true, identity: identity("a") });
    expect(asked(graph.observed(identity("a"), {}))).toEqual([]);
    expect(graph.get("a")).toMatchObject({ isVirtual: false });
  });

  it("asks for the dependents of what is gone, and remembers that it is", () => {
    const graph = new GraphState();
    graph.observed(identity("a"), {});
    graph.observed(identity("b"), owned(owner("a")));
    graph.observed(identity("c"), owned(owner("a")));
    expect(asked(graph.left(identity("a")))).toEqual(["delete b", "delete c"]);
    expect(graph.absentOwners.has(identity("a"))).toBe(true);
    expect(asked(graph.left(identity("a")))).toEqual([]);
  });

  it("asks for everybody when a deletion in the foreground begins, once, and for the owner when a dependent is gone or blocks no more", () => {
    const graph = new GraphState();
    graph.observed(identity("a"), {});
    graph.observed(identity("b"), owned(owner("a", { blockOwnerDeletion: true })));
    graph.observed(identity("c"), owned(owner("a", { blockOwnerDeletion: true })));
    graph.observed(identity("d"), owned(owner("a", { blockOwnerDeletion: true })));
    const ending = { deletionTimestamp, finalizers: ["foregroundDeletion"] };
    expect(asked(graph.observed(identity("a"), ending))).toEqual(["delete b", "delete c", "delete d", "delete a"]);
    expect(asked(graph.observed(identity("a"), ending))).toEqual([]);
    expect(asked(graph.left(identity("b")))).toEqual(["delete a"]);
    expect(asked(graph.observed(identity("c"), owned(owner("a", { blockOwnerDeletion: false }))))).toEqual(["delete a"]);
    expect(asked(graph.observed(identity("d"), {}))).toEqual(["delete a"]);
  });

  it("orphans once, when a deletion with that finalizer begins, also for what is seen for the first time", () => {
    const ending = { deletionTimestamp, finalizers: ["orphan"] };
    const graph = new GraphState();
    expect(asked(graph.observed(identity("a"), ending))).toEqual(["orphan a"]);
    expect(asked(graph.observed(identity("a"), ending))).toEqual([]);
    expect(graph.get("a")).toMatchObject({ isBeingDeleted: true, isDeletingDependents: false });
  });

  it("G012: a virtual owner is put where it is seen; a child from a namespace agrees with an owner in none", () => {
    const graph = new GraphState();
    graph.observed(identity("child"), owned(owner("node", { kind: "Node" })));
    expect(graph.get("node")?.identity.namespace).toBe("shop");
    expect(asked(graph.observed(identity("node", { namespace: "", kind: "Node" }), {}))).toEqual([]);
    expect(graph.get("node")).toMatchObject({ isVirtual: false, identity: { namespace: "" } });
  });

  it("G013: a child in another namespace than its owner is looked at and warned about, whoever is seen first", () => {
    const ownerFirst = new GraphState();
    ownerFirst.observed(identity("a", { namespace: "ns2" }), {});
    expect(asked(ownerFirst.observed(identity("child", { namespace: "ns1" }), owned(owner("a"))))).toEqual([
      "wrong namespace child → a",
      "delete child",
    ]);
    const childFirst = new GraphState();
    childFirst.observed(identity("child", { namespace: "ns1" }), owned(owner("a")));
    expect(asked(childFirst.observed(identity("a", { namespace: "ns2" }), {}))).toEqual(["wrong namespace child → a", "delete child"]);
  });

  it("G018: children who call their owner by another kind are looked at, whoever is seen first; the others are not", () => {
    const ownerFirst = new GraphState();
    ownerFirst.observed(identity("a"), {});
    expect(asked(ownerFirst.observed(identity("good"), owned(owner("a"))))).toEqual([]);
    expect(asked(ownerFirst.observed(identity("bad"), owned(owner("a", { kind: "Secret" }))))).toEqual(["delete bad"]);
    const childrenFirst = new GraphState();
    childrenFirst.observed(identity("bad"), owned(owner("a", { kind: "Secret" })));
    expect(asked(childrenFirst.observed(identity("good"), owned(owner("a"))))).toEqual(["delete good"]);
    expect(asked(childrenFirst.observed(identity("a"), {}))).toEqual(["delete bad"]);
  });

  it("G019: a child in no namespace puts a virtual owner in none, and the next child from a namespace is looked at", () => {
    const graph = new GraphState();
    graph.observed(identity("bad", { namespace: "" }), owned(owner("a")));
    expect(asked(graph.observed(identity("good"), owned(owner("a"))))).toEqual(["delete good"]);
  });

  it("looks elsewhere for a virtual owner that is not where it was looked for, and asks for those who said it would be there", () => {
    const graph = new GraphState();
    graph.observed(identity("b1"), owned(owner("a", { kind: "Apple" })));
    graph.observed(identity("b2"), owned(owner("a", { kind: "Pear" })));
    expect(asked(graph.absent(identity("a", { kind: "Apple" })))).toEqual(["delete b1"]);
    expect(graph.get("a")).toMatchObject({ isVirtual: true, identity: { kind: "Pear" } });
    expect(graph.absentOwners.has(identity("a", { kind: "Apple" }))).toBe(true);
    expect(asked(graph.left(identity("b1")))).toEqual([]);
    expect(asked(graph.absent(identity("a", { kind: "Pear" })))).toEqual(["delete b2"]);
    expect(graph.get("a")).toBeUndefined();
  });

  it("keeps what was seen although it is not at another place", () => {
    const graph = new GraphState();
    graph.observed(identity("a"), {});
    graph.observed(identity("bad"), owned(owner("a", { kind: "Secret" })));
    expect(asked(graph.absent(identity("a", { kind: "Secret" })))).toEqual(["delete bad"]);
    expect(graph.get("a")).toMatchObject({ isVirtual: false, identity: identity("a") });
  });

  it("knows the dependents of an owner again that was taken for gone", () => {
    const graph = new GraphState();
    graph.observed(identity("child"), owned(owner("a")));
    graph.absent(identity("a"));
    graph.observed(identity("a"), {});
    expect(Array.from(graph.get("a")?.dependents ?? [], (node) => node.identity.uid)).toEqual(["child"]);
  });

  it("G004: whatever is told in whatever order, every reference has its inverse and nothing is left of what left", () => {
    const uid = fc.constantFrom("a", "b", "c", "d", "e");
    const step = fc.record({
      type: fc.constantFrom("observed", "observed", "left", "absent"),
      uid,
      owners: fc.uniqueArray(uid, { maxLength: 3 }),
      namespace: fc.constantFrom("", "ns1", "ns2"),
      kind: fc.constantFrom("Pod", "Pod", "Secret"),
    } as const);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const graph = new GraphState();
        for (const { type, uid: about, owners, namespace, kind } of steps) {
          if (type === "observed") graph.observed(identity(about, { namespace, kind }), owned(...owners.map((name) => owner(name))));
          else graph[type](identity(about, { namespace, kind }));
        }
        for (const node of graph.nodes()) {
          expect(graph.get(node.identity.uid)).toBe(node);
          for (const { uid: named } of node.owners)
            if (graph.get(named) !== undefined) expect(graph.get(named)?.dependents.has(node)).toBe(true);
          for (const dependent of node.dependents) {
            expect(graph.get(dependent.identity.uid)).toBe(dependent);
            expect(dependent.owners.some(({ uid: named }) => named === node.identity.uid)).toBe(true);
          }
        }
        for (const name of ["a", "b", "c", "d", "e"]) graph.left(identity(name));
        for (const node of graph.nodes()) graph.left(node.identity);
        expect(graph.size).toBe(0);
      }),
    );
  });
});
