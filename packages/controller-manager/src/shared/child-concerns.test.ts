import { ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { objectKeyOf } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { controllerInCache } from "./controller-in-cache.ts";
import type { PodView } from "./pod-state.ts";
import { selects } from "./selects.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { pod, replicaSet } from "../testing/workload-objects.ts";
import type { PodParts } from "../testing/workload-objects.ts";
import { childConcerns } from "./child-concerns.ts";
import type { OwnerFinder } from "./child-concerns.ts";

const [web, twin, api] = [replicaSet({ name: "web" }), replicaSet({ name: "twin" }), replicaSet({ name: "api", selector: { app: "api" } })];
const cache = await syncedInformer<ReplicaSet>(web, twin, api);
const find: OwnerFinder = {
  owner: (namespace, reference) => controllerInCache(cache, ReplicaSet, namespace, reference),
  matching: (one) => [web, twin, api].filter((set) => selects(set, one)),
};
const by = (set: typeof web): Pick<PodParts, "owner"> => ({ owner: { object: set as ReplicaSet, kind: ReplicaSet } });
const base = (object: PodView): { readonly key: ReturnType<typeof objectKeyOf>; readonly uid: string } => ({
  key: objectKeyOf(object),
  uid: object.metadata.uid ?? "",
});
const added = (parts: PodParts): Change<Pod> => ({ type: "added", ...base(pod(parts)), object: pod(parts), isInInitialList: false });
const updated = (before: PodParts, after: PodParts, isResync = false): Change<Pod> => ({
  type: "updated",
  ...base(pod(after)),
  before: pod(before),
  object: pod({ ...after, version: "2" }),
  isResync,
});
const deleted = (parts: PodParts, isFinalStateUnknown = false): Change<Pod> => ({
  type: "deleted",
  ...base(pod(parts)),
  object: pod(parts),
  isFinalStateUnknown,
});
const gone = { owner: "shop/web", child: "shop/web-1" };

describe("childConcerns", () => {
  it("R018: of an added pod is its owner, who observes a creation", () => {
    expect(childConcerns(added(by(web)), find)).toEqual({ keys: ["shop/web"], created: ["shop/web"], deleted: [] });
  });

  it("R006: of an added orphan is every matching owner, without a creation", () => {
    expect(childConcerns(added({}), find)).toEqual({ keys: ["shop/web", "shop/twin"], created: [], deleted: [] });
    expect(childConcerns(added({ labels: {} }), find).keys).toEqual([]);
    expect(childConcerns(added({ owner: { object: { metadata: { name: "web", uid: "older" } }, kind: ReplicaSet } }), find).keys).toEqual(
      [],
    );
  });

  it("R008: of an updated pod is its owner; of a resync no one", () => {
    expect(childConcerns(updated(by(web), { ...by(web), readyFor: 0 }), find)).toEqual({ keys: ["shop/web"], created: [], deleted: [] });
    expect(childConcerns(updated(by(web), by(web), true), find).keys).toEqual([]);
    expect(childConcerns(updated({}, { readyFor: 0 }), find).keys).toEqual([]);
  });

  it("R009: of changed labels or a changed owner are the old and new owners", () => {
    expect(childConcerns(updated({ labels: { app: "web" } }, { labels: { app: "api" } }), find).keys).toEqual(["shop/api"]);
    expect(childConcerns(updated(by(web), by(twin)), find).keys).toEqual(["shop/web", "shop/twin"]);
  });

  it("R011: of a pod that lost its owner are that owner and every match", () => {
    expect(childConcerns(updated(by(web), {}), find).keys).toEqual(["shop/web", "shop/web", "shop/twin"]);
  });

  it("R002: of a deleted pod is its owner, who observes the deletion, even when only its absence was seen; of an orphan no one", () => {
    for (const change of [deleted(by(web)), deleted(by(web), true)])
      expect(childConcerns(change, find)).toEqual({ keys: ["shop/web"], created: [], deleted: [gone] });
    expect(childConcerns(deleted({}), find).keys).toEqual([]);
  });

  it("R019: counts a terminating pod as deleted, and never as created", () => {
    expect(childConcerns(added({ ...by(web), isDeleting: true }), find)).toEqual({ keys: ["shop/web"], created: [], deleted: [gone] });
    expect(childConcerns(updated(by(web), { ...by(web), isDeleting: true }), find).deleted).toEqual([gone]);
    expect(childConcerns(updated({ ...by(web), labels: { app: "x" } }, { ...by(twin), isDeleting: true }), find).deleted).toEqual([
      { ...gone, owner: "shop/twin" },
      gone,
    ]);
  });
});
