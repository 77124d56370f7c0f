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

describe("owners", () => {
  it("are solid, dangling or waiting; another object under their name is not them", async () => {
    const { live } = liveStage(
      podAnswer({ uid: "there" }),
      notFound("gone"),
      podAnswer({ uid: "somebody else" }),
      podAnswer({ uid: "waits", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["foregroundDeletion"] }),
    );
    const absentOwners = new AbsentOwners();
    const owners = ["there", "gone", "renewed", "waits"].map(owner);
    expect(await classifyOwners(owners, "shop", { live, absentOwners })).toEqual({
      solid: [owner("there")],
      dangling: [owner("gone"), owner("renewed")],
      waiting: [owner("waits")],
    });
    for (const uid of ["gone", "renewed"]) expect(absentOwners.has({ ...owner(uid), namespace: "shop" })).toBe(true);
  });

  it("that are deleted in the background, or held by somebody else, are still there", async () => {
    const { live } = liveStage(podAnswer({ uid: "a", deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["example.com/held"] }));
    expect((await classifyOwners([owner("a")], "shop", { live, absentOwners: new AbsentOwners() })).solid).toHaveLength(1);
  });

  it("in no namespace are asked for without one, and known to be absent from everywhere", async () => {
    const stage = liveStage(notFound("space"));
    const absentOwners = new AbsentOwners();
    const space = { ...owner("space"), kind: "Namespace" };
    expect((await classifyOwners([space], "shop", { live: stage.live, absentOwners })).dangling).toEqual([space]);
    expect(stage.requests()).toEqual(["GET namespaces/space"]);
    expect((await classifyOwners([space], "home", { live: stage.live, absentOwners })).dangling).toEqual([space]);
    expect(stage.requests()).toHaveLength(1);
  });

  it("in a namespace cannot be those of something in none", async () => {
    await expect(classifyOwners([owner("a")], "", { live: liveStage().live, absentOwners: new AbsentOwners() })).rejects.toThrow(
      NamespacedOwnerError,
    );
  });
});
