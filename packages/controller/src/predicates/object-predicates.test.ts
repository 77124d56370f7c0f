import { and, everything, not, nothing, SelectorError } from "@drover/machinery";
import type { KubeObject, ObjectMeta } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { hasLabel, matches, namespaceIn, ownerIs } from "./object-predicates.ts";

const thing = (metadata: ObjectMeta): KubeObject => ({ metadata: { namespace: "shop", name: "web", ...metadata } });
const labelled = (labels: Record<string, string>): KubeObject => thing({ labels });

describe("hasLabel", () => {
  it("holds for objects with that label, and with that value if one is given", () => {
    const change = added(labelled({ app: "web" }));
    expect(
      [hasLabel("app"), hasLabel("app", { value: "web" }), hasLabel("app", { value: "db" }), hasLabel("tier")].map((holds) =>
        holds(change),
      ),
    ).toEqual([true, true, false, false]);
  });

  it("ignores inherited properties", () => {
    expect([hasLabel("constructor")(added(labelled({}))), hasLabel("toString")(added(thing({})))]).toEqual([false, false]);
    expect(hasLabel("constructor")(added(labelled({ constructor: "x" })))).toBe(true);
  });

  it("drops the update in which an object stops matching, unless orBefore is set", () => {
    const leaves = updated(labelled({ app: "web" }), labelled({}));
    expect([hasLabel("app")(leaves), hasLabel("app", { orBefore: true })(leaves)]).toEqual([false, true]);
    expect([hasLabel("app")(updated(labelled({}), labelled({ app: "web" }))), hasLabel("app")(deleted(labelled({ app: "web" })))]).toEqual([
      true,
      true,
    ]);
  });
});

describe("matches", () => {
  it("accepts a selector as text, as a LabelSelector, and parsed", () => {
    const web = added(labelled({ app: "web" }));
    expect(["app=web", "app in (db)", "!app", ""].map((text) => matches(text)(web))).toEqual([true, false, false, true]);
    expect(matches({ matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] })(web)).toBe(true);
    expect([matches(everything)(web), matches(nothing)(web)]).toEqual([true, false]);
  });

  it("tests the state after an update, and the one before with orBefore", () => {
    const leaves = updated(labelled({ app: "web" }), labelled({ app: "db" }));
    expect([matches("app=web")(leaves), matches("app=web", { orBefore: true })(leaves), matches("app=db")(leaves)]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("throws for an invalid selector when it is created, not when it is evaluated", () => {
    expect(() => matches("app in (")).toThrow(SelectorError);
  });
});

describe("namespaceIn", () => {
  it('holds for objects in these namespaces; "" stands for cluster-scoped ones', () => {
    const cluster: KubeObject = { metadata: { name: "node-1" } };
    expect(
      [added(thing({})), deleted(thing({ namespace: "infra" })), added(thing({ namespace: "other" })), added(cluster)].map(
        namespaceIn(["shop", "infra"]),
      ),
    ).toEqual([true, true, false, false]);
    expect(namespaceIn([""])(added(cluster))).toBe(true);
    expect(and(not(namespaceIn(["kube-system"])), hasLabel("app"))(added(labelled({ app: "web" })))).toBe(true);
  });
});

describe("ownerIs", () => {
  const owned = (apiVersion: string, kind: string, controller?: boolean): KubeObject =>
    thing({ ownerReferences: [{ apiVersion, kind, name: "o", uid: "u", ...(controller === undefined ? {} : { controller }) }] });
  const replicaSet = { group: "apps", kind: "ReplicaSet" };

  it("compares group and kind, not the version", () => {
    expect(
      [
        owned("apps/v1", "ReplicaSet"),
        owned("apps/v1beta1", "ReplicaSet"),
        owned("other/v1", "ReplicaSet"),
        owned("apps/v1", "Deployment"),
        thing({}),
      ].map((object) => ownerIs(replicaSet)(added(object))),
    ).toEqual([true, true, false, false, false]);
  });

  it("can test only the controlling owner, and the state before", () => {
    expect([
      ownerIs(replicaSet, { onlyController: true })(added(owned("apps/v1", "ReplicaSet"))),
      ownerIs(replicaSet, { onlyController: true })(added(owned("apps/v1", "ReplicaSet", true))),
    ]).toEqual([false, true]);
    const orphaned = updated(owned("apps/v1", "ReplicaSet"), thing({}));
    expect([ownerIs(replicaSet)(orphaned), ownerIs(replicaSet, { orBefore: true })(orphaned)]).toEqual([false, true]);
  });
});
