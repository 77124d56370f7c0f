import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { objectKeyOf } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { controllerInCache } from "../shared/controller-in-cache.ts";
import { selects } from "../shared/selects.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { deployment, pod, replicaSet } from "../testing/workload-objects.ts";
import type { ReplicaSetParts } from "../testing/workload-objects.ts";
import { podConcerns, replicaSetConcerns } from "./replica-set-concerns.ts";
import type { DeploymentFinder } from "./replica-set-concerns.ts";

const [web, shop, api] = [
  deployment({ name: "web" }),
  deployment({ name: "shop" }),
  deployment({ name: "api", selector: { app: "api" }, strategy: "Recreate" }),
];
const all = [web, shop, api, { ...deployment({ name: "empty" }), spec: { selector: {}, template: {} } }];
const cache = await syncedInformer<Deployment>(...all);
const ofApi = replicaSet({ name: "api-1", owner: { object: api as Deployment, kind: Deployment } });
const find: DeploymentFinder = {
  owner: (namespace, reference) => controllerInCache(cache, Deployment, namespace, reference),
  matching: (set) => all.filter((each) => selects(each, set)),
  replicaSetOf: ({ metadata }) => (metadata.ownerReferences?.[0]?.name === "api-1" ? ofApi : undefined),
};
const base = (object: DeepReadonly<KubeObject>): { readonly key: ReturnType<typeof objectKeyOf>; readonly uid: string } => ({
  key: objectKeyOf(object),
  uid: object.metadata.uid ?? "",
});
const added = (object: DeepReadonly<ReplicaSet>): Change<ReplicaSet> => ({
  type: "added",
  ...base(object),
  object,
  isInInitialList: false,
});
const updated = (before: DeepReadonly<ReplicaSet>, object: DeepReadonly<ReplicaSet>, isResync = false): Change<ReplicaSet> => ({
  type: "updated",
  ...base(object),
  before,
  object,
  isResync,
});
const deleted = (object: DeepReadonly<ReplicaSet>, isFinalStateUnknown = false): Change<ReplicaSet> => ({
  type: "deleted",
  ...base(object),
  object,
  isFinalStateUnknown,
});
const owned = (parts: ReplicaSetParts = {}): DeepReadonly<ReplicaSet> =>
  replicaSet({ owner: { object: web as Deployment, kind: Deployment }, ...parts });
const orphan = (parts: ReplicaSetParts = {}): DeepReadonly<ReplicaSet> => replicaSet(parts);

describe("replicaSetConcerns", () => {
  it("returns the owner of an added ReplicaSet, or every matching Deployment", () => {
    expect(replicaSetConcerns(added(owned()), find)).toEqual(["shop/web"]);
    expect(replicaSetConcerns(added(orphan()), find)).toEqual(["shop/web", "shop/shop"]);
    expect(replicaSetConcerns(added(owned({ isDeleting: true })), find)).toEqual(["shop/web"]);
    expect(replicaSetConcerns(added(orphan({ isDeleting: true })), find)).toEqual([]);
  });

  it("D122: returns none without a matching selector, and never one with an empty selector", () => {
    expect(replicaSetConcerns(added(orphan({ labels: { app: "other" } })), find)).toEqual([]);
    expect(replicaSetConcerns(added(orphan({ labels: {} })), find)).toEqual([]);
  });

  it("returns the owner for any update, and none for an unchanged orphan", () => {
    expect(replicaSetConcerns(updated(owned(), owned({ replicas: 2 })), find)).toEqual(["shop/web"]);
    expect(replicaSetConcerns(updated(orphan(), orphan({ replicas: 2 })), find)).toEqual([]);
    expect(replicaSetConcerns(updated(owned(), owned(), true), find)).toEqual([]);
  });

  it("D116: returns matching Deployments for changed labels, and both owners for a changed owner", () => {
    expect(replicaSetConcerns(updated(orphan({ labels: { app: "other" } }), orphan()), find)).toEqual(["shop/web", "shop/shop"]);
    expect(replicaSetConcerns(updated(owned(), replicaSet({ owner: { object: shop as Deployment, kind: Deployment } })), find)).toEqual([
      "shop/web",
      "shop/shop",
    ]);
    expect(replicaSetConcerns(updated(owned(), orphan()), find)).toEqual(["shop/web", "shop/web", "shop/shop"]);
  });

  it("D117, D118: returns the owner of a deleted ReplicaSet, even when only its absence was observed; none for an orphan", () => {
    expect(replicaSetConcerns(deleted(owned()), find)).toEqual(["shop/web"]);
    expect(replicaSetConcerns(deleted(owned(), true), find)).toEqual(["shop/web"]);
    expect(replicaSetConcerns(deleted(orphan()), find)).toEqual([]);
  });

  it("returns none when the owner was replaced by a namesake", () => {
    expect(
      replicaSetConcerns(added(replicaSet({ owner: { object: { metadata: { name: "web", uid: "older" } }, kind: Deployment } })), find),
    ).toEqual([]);
    expect(
      replicaSetConcerns(added(replicaSet({ owner: { object: web as Deployment, kind: { ...Deployment, group: "other.io" } } })), find),
    ).toEqual([]);
  });
});

describe("podConcerns", () => {
  const gone = (object: DeepReadonly<Pod>): Change<Pod> => ({ type: "deleted", ...base(object), object, isFinalStateUnknown: true });
  const ofSet = pod({ owner: { object: ofApi as ReplicaSet, kind: ReplicaSet } });
  it("D111: returns a Recreate Deployment only for deleted pods, and none for a ReplicaSet without an owner", () => {
    expect(podConcerns(gone(ofSet), find)).toEqual(["shop/api"]);
    expect(podConcerns({ type: "added", ...base(ofSet), object: ofSet, isInInitialList: false }, find)).toEqual([]);
    expect(podConcerns(gone(pod()), find)).toEqual([]);
    expect(podConcerns(gone(ofSet), { ...find, replicaSetOf: () => orphan() })).toEqual([]);
    expect(podConcerns(gone(ofSet), { ...find, replicaSetOf: () => owned() })).toEqual([]);
  });
});
