import { AbsentOwners } from "./absent-owners.ts";
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

describe("GraphState", () => {
  it("adds a virtual node for an unseen owner, which is processed", () => {
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
    expect(asked(graph.observed(identity("child"), owned(owner("a"))))).toEqual(["delete a"]);
    expect(graph.get("a")).toMatchObject({ isVirtual: true, identity: identity("a") });
    expect(asked(graph.observed(identity("a"), {}))).toEqual([]);
    expect(graph.get("a")).toMatchObject({ isVirtual: false });
  });

  it("processes the dependents of a deleted object and remembers it as absent", () => {
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
    graph.observed(identity("a"), {});
    graph.observed(identity("b"), owned(owner("a")));
    graph.observed(identity("c"), owned(owner("a")));
    expect(asked(graph.left(identity("a")))).toEqual(["delete b", "delete c"]);
    expect(graph.absentOwners.has(identity("a"))).toBe(true);
    expect(asked(graph.left(identity("a")))).toEqual([]);
  });

  it("processes all dependents when foreground deletion starts, once, and the owner when a dependent is gone or stops blocking", () => {
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
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

  it("orphans once when a deletion with that finalizer starts, also for an object seen first", () => {
    const ending = { deletionTimestamp, finalizers: ["orphan"] };
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
    expect(asked(graph.observed(identity("a"), ending))).toEqual(["orphan a"]);
    expect(asked(graph.observed(identity("a"), ending))).toEqual([]);
    expect(graph.get("a")).toMatchObject({ isBeingDeleted: true, isDeletingDependents: false });
  });

  it("G012: moves a virtual owner to where it is observed; a namespaced child agrees with a cluster-scoped owner", () => {
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
    graph.observed(identity("child"), owned(owner("node", { kind: "Node" })));
    expect(graph.get("node")?.identity.namespace).toBe("shop");
    expect(asked(graph.observed(identity("node", { namespace: "", kind: "Node" }), {}))).toEqual([]);
    expect(graph.get("node")).toMatchObject({ isVirtual: false, identity: { namespace: "" } });
  });

  it("G013: processes and warns about a child in another namespace than its owner, in either order", () => {
    const ownerFirst = new GraphState(new AbsentOwners({ now: () => 0 }));
    ownerFirst.observed(identity("a", { namespace: "ns2" }), {});
    expect(asked(ownerFirst.observed(identity("child", { namespace: "ns1" }), owned(owner("a"))))).toEqual([
      "wrong namespace child → a",
      "delete child",
    ]);
    const childFirst = new GraphState(new AbsentOwners({ now: () => 0 }));
    childFirst.observed(identity("child", { namespace: "ns1" }), owned(owner("a")));
    expect(asked(childFirst.observed(identity("a", { namespace: "ns2" }), {}))).toEqual(["wrong namespace child → a", "delete child"]);
  });

  it("G018: processes only children that refer to their owner by another kind, in either order", () => {
    const ownerFirst = new GraphState(new AbsentOwners({ now: () => 0 }));
    ownerFirst.observed(identity("a"), {});
    expect(asked(ownerFirst.observed(identity("good"), owned(owner("a"))))).toEqual([]);
    expect(asked(ownerFirst.observed(identity("bad"), owned(owner("a", { kind: "Secret" }))))).toEqual(["delete bad"]);
    const childrenFirst = new GraphState(new AbsentOwners({ now: () => 0 }));
    childrenFirst.observed(identity("bad"), owned(owner("a", { kind: "Secret" })));
    expect(asked(childrenFirst.observed(identity("good"), owned(owner("a"))))).toEqual(["delete good"]);
    expect(asked(childrenFirst.observed(identity("a"), {}))).toEqual(["delete bad"]);
  });

  it("G019: processes a namespaced child after a cluster-scoped child made the virtual owner cluster-scoped", () => {
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
    graph.observed(identity("bad", { namespace: "" }), owned(owner("a")));
    expect(asked(graph.observed(identity("good"), owned(owner("a"))))).toEqual(["delete good"]);
  });

  it("moves a virtual owner that is absent to another identity and processes those who gave the first", () => {
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
    graph.observed(identity("b1"), owned(owner("a", { kind: "Apple" })));
    graph.observed(identity("b2"), owned(owner("a", { kind: "Pear" })));
    expect(asked(graph.absent(identity("a", { kind: "Apple" })))).toEqual(["delete b1"]);
    expect(graph.get("a")).toMatchObject({ isVirtual: true, identity: { kind: "Pear" } });
    expect(graph.absentOwners.has(identity("a", { kind: "Apple" }))).toBe(true);
    expect(asked(graph.left(identity("b1")))).toEqual([]);
    expect(asked(graph.absent(identity("a", { kind: "Pear" })))).toEqual(["delete b2"]);
    expect(graph.get("a")).toBeUndefined();
  });

  it("keeps an observed node that is absent at another identity", () => {
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
    graph.observed(identity("a"), {});
    graph.observed(identity("bad"), owned(owner("a", { kind: "Secret" })));
    expect(asked(graph.absent(identity("a", { kind: "Secret" })))).toEqual(["delete bad"]);
    expect(graph.get("a")).toMatchObject({ isVirtual: false, identity: identity("a") });
  });

  it("finds the dependents of an owner again that counted as absent", () => {
    const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
    graph.observed(identity("child"), owned(owner("a")));
    graph.absent(identity("a"));
    graph.observed(identity("a"), {});
    expect(Array.from(graph.get("a")?.dependents ?? [], (node) => node.identity.uid)).toEqual(["child"]);
  });

  it("G004: keeps references and their inverses consistent for any order of events, and nothing of deleted objects", () => {
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
        const graph = new GraphState(new AbsentOwners({ now: () => 0 }));
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
