import type { KubeObject, OwnerReference } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { ownerHandler } from "./owner-handler.ts";

const replicaSet = { group: "apps", kind: "ReplicaSet", scope: "Namespaced" } as const;
const node = { group: "", kind: "Node", scope: "Cluster" } as const;
const reference = (
  name: string,
  { apiVersion = "apps/v1", kind = "ReplicaSet", ...more }: Partial<OwnerReference> = {},
): OwnerReference => ({ apiVersion, kind, name, uid: `${name}-uid`, ...more });
const owned = (...ownerReferences: OwnerReference[]): KubeObject => ({ metadata: { namespace: "shop", name: "web-1", ownerReferences } });
const keys = (handler: ReturnType<typeof ownerHandler>, change: Parameters<ReturnType<typeof ownerHandler>>[0]): readonly string[] =>
  handler(change).map(({ key }) => key);

describe("ownerHandler", () => {
  it("requests the owner of that kind, for every type of change", () => {
    for (const change of [added(owned(reference("web"))), deleted(owned(reference("web")))]) {
      expect(ownerHandler(replicaSet)(change)).toEqual([{ key: "shop/web", priority: 0, cause: { type: "change", via: "owner", change } }]);
    }
  });

  it("requests the owners before and after an update, each once", () => {
    expect(keys(ownerHandler(replicaSet), updated(owned(reference("a"), reference("b")), owned(reference("b"), reference("c"))))).toEqual([
      "shop/a",
      "shop/b",
      "shop/c",
    ]);
    expect(keys(ownerHandler(replicaSet), updated(owned(reference("a")), owned()))).toEqual(["shop/a"]);
  });

  it("compares group and kind, not the version (§9.18)", () => {
    const object = owned(
      reference("a", { apiVersion: "apps/v1beta2" }),
      reference("b", { apiVersion: "example.com/v1" }),
      reference("c", { kind: "StatefulSet" }),
    );
    expect(keys(ownerHandler(replicaSet), added(object))).toEqual(["shop/a"]);
  });

  it("requests nothing for an object without owners", () => {
    expect(keys(ownerHandler(replicaSet), added(owned()))).toEqual([]);
    expect(keys(ownerHandler(replicaSet), added({ metadata: { namespace: "shop", name: "web-1" } }))).toEqual([]);
  });

  it("requests every owner, or only the controlling one", () => {
    const object = owned(reference("a"), reference("b", { controller: true }), reference("c", { controller: false }));
    expect(keys(ownerHandler(replicaSet), added(object))).toEqual(["shop/a", "shop/b", "shop/c"]);
    expect(keys(ownerHandler(replicaSet, { onlyController: true }), added(object))).toEqual(["shop/b"]);
    expect(keys(ownerHandler(replicaSet, { onlyController: true }), added(owned(reference("a"))))).toEqual([]);
    expect(
      keys(
        ownerHandler(replicaSet, { onlyController: true }),
        added(owned(reference("a"), reference("x", { kind: "Deployment", controller: true }))),
      ),
    ).toEqual([]);
  });

  it("requests the first of several controlling owners, of which the server allows only one", () => {
    expect(
      keys(
        ownerHandler(replicaSet, { onlyController: true }),
        added(owned(reference("a", { controller: true }), reference("b", { controller: true }))),
      ),
    ).toEqual(["shop/a"]);
  });

  it("uses no namespace for a cluster-scoped owner", () => {
    expect(keys(ownerHandler(node), added(owned(reference("node-1", { apiVersion: "v1", kind: "Node" }))))).toEqual(["node-1"]);
  });

  it("requests no namespaced owner of a cluster-scoped object, which cannot exist", () => {
    expect(keys(ownerHandler(replicaSet), added({ metadata: { name: "volume-1", ownerReferences: [reference("web")] } }))).toEqual([]);
  });

  it("ignores a reference whose apiVersion cannot be parsed, also for kinds of the core group", () => {
    const object = owned(
      reference("node-1", { apiVersion: "a/b/c", kind: "Node" }),
      reference("node-2", { apiVersion: "v1", kind: "Node" }),
    );
    expect(keys(ownerHandler(node), added(object))).toEqual(["node-2"]);
  });

  it("requests only listed owners, in the object's namespace, each once", () => {
    const references = fc.array(
      fc.record({
        apiVersion: fc.constantFrom("apps/v1", "apps/v2", "v1", "other/v1", "a/b/c"),
        kind: fc.constantFrom("ReplicaSet", "Node"),
        name: fc.constantFrom("a", "b", "c"),
        uid: fc.constant("u"),
        controller: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(references, references, fc.boolean(), (before, after, onlyController) => {
        const asked = keys(ownerHandler(replicaSet, { onlyController }), updated(owned(...before), owned(...after)));
        const allowed = (list: readonly OwnerReference[]): readonly OwnerReference[] =>
          onlyController ? list.filter((each) => each.controller).slice(0, 1) : list;
        const expected = [...allowed(before), ...allowed(after)]
          .filter(({ apiVersion, kind }) => kind === "ReplicaSet" && apiVersion.startsWith("apps/"))
          .map(({ name }) => `shop/${name}`);
        expect(asked).toEqual([...new Set(expected)]);
      }),
    );
  });
});
