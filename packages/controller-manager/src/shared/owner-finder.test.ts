import { ReplicaSet } from "@drover/api/apps/v1";
import { newControllerRef } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { syncedInformer } from "../testing/synced-informer.ts";
import { pod, replicaSet } from "../testing/workload-objects.ts";
import { ownerFinder } from "./owner-finder.ts";

const [web, api] = [replicaSet({ name: "web" }), replicaSet({ name: "api", selector: { app: "api" } })];
const find = ownerFinder(await syncedInformer<ReplicaSet>(web, api), ReplicaSet);

describe("ownerFinder", () => {
  it("finds an owner by a reference with its uid", () => {
    expect(find.owner("shop", newControllerRef(web, ReplicaSet))).toBe(web);
    expect(find.owner("shop", { ...newControllerRef(web, ReplicaSet), uid: "older" })).toBeUndefined();
  });

  it("finds owners whose selector matches; none for an object without labels", () => {
    expect(find.matching(pod())).toEqual([web]);
    expect(find.matching(pod({ labels: {} }))).toEqual([]);
  });
});
