import { describe, expect, it } from "vitest";
import { AbsentOwners } from "./absent-owners.ts";
import { classifyOwners } from "./classify-owners.ts";
import { NamespacedOwnerError } from "./live-objects.ts";
import { liveStage, notFound, podAnswer } from "./testing/live-stage.ts";

const owner = (uid: string): { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid: string } => ({
  apiVersion: "v1",
  kind: "Pod",
  name: uid,
  uid,
});

describe("classifyOwners", () => {
  it("returns solid, dangling and waiting owners; a namesake does not count", async () => {
    const { live } = liveStage(
      podAnswer({ uid: "there" }),
      notFound("gone"),
      podAnswer({ uid: "somebody else" }),
      podAnswer({ uid: "waits", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["foregroundDeletion"] }),
    );
    const absentOwners = new AbsentOwners({ now: () => 0 });
    const owners = ["there", "gone", "renewed", "waits"].map(owner);
    expect(await classifyOwners(owners, "shop", { live, absentOwners })).toEqual({
      solid: [owner("there")],
      dangling: [owner("gone"), owner("renewed")],
      waiting: [owner("waits")],
    });
    for (const uid of ["gone", "renewed"]) expect(absentOwners.has({ ...owner(uid), namespace: "shop" })).toBe(true);
  });

  it("counts owners in background deletion, or held by other finalizers, as solid", async () => {
    const { live } = liveStage(podAnswer({ uid: "a", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["example.com/held"] }));
    expect((await classifyOwners([owner("a")], "shop", { live, absentOwners: new AbsentOwners({ now: () => 0 }) })).solid).toHaveLength(1);
  });

  it("reads cluster-scoped owners without a namespace and remembers them as absent everywhere", async () => {
    const stage = liveStage(notFound("space"));
    const absentOwners = new AbsentOwners({ now: () => 0 });
    const space = { ...owner("space"), kind: "Namespace" };
    expect((await classifyOwners([space], "shop", { live: stage.live, absentOwners })).dangling).toEqual([space]);
    expect(stage.requests()).toEqual(["GET namespaces/space"]);
    expect((await classifyOwners([space], "home", { live: stage.live, absentOwners })).dangling).toEqual([space]);
    expect(stage.requests()).toHaveLength(1);
  });

  it("rejects a namespaced owner of a cluster-scoped object", async () => {
    await expect(
      classifyOwners([owner("a")], "", { live: liveStage().live, absentOwners: new AbsentOwners({ now: () => 0 }) }),
    ).rejects.toThrow(NamespacedOwnerError);
  });
});
