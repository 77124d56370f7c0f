import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import { deepFreeze } from "@drover/machinery";
import type { Kind, KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { ApplySet, DesiredObject, SetOwner } from "./apply-set.ts";
import { setIdentity } from "./set-identity.ts";
import { wantedObjects } from "./wanted-object.ts";
import type { WantedObject } from "./wanted-object.ts";

const owner: SetOwner = { kind: ConfigMap, object: { metadata: { name: "owner", namespace: "shop", uid: "u-1" } } };
const wanted = (objects: readonly DesiredObject[], set: Partial<ApplySet> = {}, to: SetOwner = owner): readonly WantedObject[] => {
  const whole = { name: "web", ...set };
  return wantedObjects(whole, setIdentity(whole, to), to, objects);
};
const of = (kind: Kind, metadata: KubeObject["metadata"], more: object = {}): DesiredObject => ({ kind, object: { metadata, ...more } });

describe("wantedObjects", () => {
  it("puts a member into its owner's namespace, marks it, and refers to the owner", () => {
    const [object] = wanted([of(ConfigMap, deepFreeze({ name: "a", labels: { app: "web" } }))]);
    expect(object?.body).toMatchObject({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "a",
        namespace: "shop",
        labels: { app: "web", "drover.dev/set": expect.stringMatching(/^[0-9a-f]{32}$/) as string },
        ownerReferences: [{ uid: "u-1", controller: true }],
      },
    });
  });

  it("orders by rank, then by position", () => {
    const names = wanted([of(Deployment, { name: "d" }), of(ConfigMap, { name: "b" }), of(ConfigMap, { name: "a" })]).map(
      ({ name, position }) => `${name}${position}`,
    );
    expect(names).toEqual(["b1", "a2", "d0"]);
  });

  it("omits fields that the server sets, and status if it is a subresource", () => {
    const [object] = wanted([
      of(
        Deployment,
        { name: "d", uid: "x", resourceVersion: "7", creationTimestamp: "2026-01-01T00:00:00Z", managedFields: [], generation: 3 },
        { status: { replicas: 1 }, spec: {} },
      ),
    ]);
    expect(Object.keys(object?.body.metadata ?? {}).toSorted()).toEqual(["annotations", "labels", "name", "namespace", "ownerReferences"]);
    expect(Object.keys(object?.body ?? {}).toSorted()).toEqual(["apiVersion", "kind", "metadata", "spec"]);
  });

  it("has a hash that changes with every field and nothing else", () => {
    const hash = (object: DesiredObject, set: Partial<ApplySet> = {}): string => wanted([object], set)[0]?.hash ?? "";
    const one = hash(of(ConfigMap, { name: "a" }, { data: { x: "1", y: "2" } }));
    expect(hash(of(ConfigMap, { name: "a", resourceVersion: "9" }, { data: { y: "2", x: "1" } }))).toBe(one);
    expect(hash(of(ConfigMap, { name: "a" }, { data: { x: "1" } }))).not.toBe(one);
    expect(hash(of(ConfigMap, { name: "a" }, { data: { x: "1", y: "2" } }), { method: "three-way" })).not.toBe(one);
  });

  it("sets an owner reference only where the garbage collector follows it", () => {
    const references = (object: DesiredObject, set: Partial<ApplySet>, to?: SetOwner): unknown =>
      wanted([object], set, to)[0]?.body.metadata.ownerReferences;
    expect(references(of(ConfigMap, { name: "a", namespace: "other" }), { scope: "cross-namespace" })).toBeUndefined();
    expect(references(of(ClusterRole, { name: "a" }), { scope: "cluster" })).toBeUndefined();
    expect(references(of(ConfigMap, { name: "a" }), { reference: "label" })).toBeUndefined();
    expect(references(of(ConfigMap, { name: "a" }), { reference: "owner" })).toEqual([
      { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "u-1" },
    ]);
    const cluster: SetOwner = { kind: Namespace, object: { metadata: { name: "n", uid: "u-2" } } };
    expect(references(of(ClusterRole, { name: "a" }), {}, cluster)).toMatchObject([{ uid: "u-2" }]);
    expect(
      references(of(ConfigMap, { name: "a" }), {}, { kind: ConfigMap, object: { metadata: { name: "owner", namespace: "shop" } } }),
    ).toBeUndefined();
  });

  it.each<[string, readonly DesiredObject[], Partial<ApplySet>]>([
    ["objects[0], ConfigMap : it has no metadata.name", [of(ConfigMap, { generateName: "a-" })], {}],
    [
      'objects[1], ConfigMap a: it is in namespace other, its owner in shop, and the set\'s scope is "namespace"; set scope: "cross-namespace"',
      [of(ConfigMap, { name: "b" }), of(ConfigMap, { name: "a", namespace: "other" })],
      {},
    ],
    ['it is cluster-scoped, and the set\'s scope is "namespace"; set scope: "cluster"', [of(ClusterRole, { name: "a" })], {}],
    [
      'it is cluster-scoped, and the set\'s scope is "cross-namespace"; set scope: "cluster"',
      [of(ClusterRole, { name: "a" })],
      { scope: "cross-namespace" },
    ],
    [
      "objects[0] and objects[1] are both ConfigMap shop/a",
      [of(ConfigMap, { name: "a" }), of({ ...ConfigMap, version: "v2" }, { name: "a", namespace: "shop" })],
      {},
    ],
  ])("throws before any request: %s", (message, objects, set) => {
    expect(() => wanted(objects, set)).toThrow(message);
  });
});
