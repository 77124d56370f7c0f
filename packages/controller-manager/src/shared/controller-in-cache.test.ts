import { ReplicaSet } from "@drover/api/apps/v1";
import type { OwnerReference } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { syncedInformer } from "../testing/synced-informer.ts";
import { replicaSet } from "../testing/workload-objects.ts";
import { controllerInCache } from "./controller-in-cache.ts";

describe("controllerInCache", async () => {
  const web = replicaSet();
  const cache = await syncedInformer<ReplicaSet>(web);
  const found = (reference: Partial<OwnerReference>): unknown =>
    controllerInCache(cache, ReplicaSet, "shop", {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      name: "web",
      uid: "web-uid",
      ...reference,
    });
  it("finds the controller by name and uid", () => {
    expect([found({}), found({ uid: "older" }), found({ name: "other" })]).toEqual([web, undefined, undefined]);
  });

  it("ignores versions of the kind; finds none for an invalid reference", () => {
    expect([
      found({ apiVersion: "apps/v1beta2" }),
      found({ kind: "Deployment" }),
      found({ apiVersion: "other.io/v1" }),
      found({ apiVersion: "a/b/c" }),
    ]).toEqual([web, undefined, undefined, undefined]);
  });
});
