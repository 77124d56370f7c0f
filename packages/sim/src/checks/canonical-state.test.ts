import type { Stored } from "@drover/apiserver";
import { describe, expect, it } from "vitest";
import { canonicalState } from "./canonical-state.ts";
import { differencesOf, maskOf } from "./state-difference.ts";

const stored = (key: string, object: unknown): Stored => ({
  key: `/registry/${key}`,
  value: JSON.stringify(object),
  createRevision: 1,
  modRevision: 1,
});
const owner = (uid: string): Stored => stored("webapps/default/shop", { metadata: { name: "shop", uid, generation: uid.length } });

describe("canonicalState", () => {
  it("is equal for clusters that differ in uids, versions, times, managed fields and generated names", () => {
    const cluster = (uid: string, name: string, second: number): readonly Stored[] => [
      owner(uid),
      stored(`pods/default/${name}`, {
        metadata: { name, generateName: "web-", uid: `${uid} pod`, resourceVersion: String(second), ownerReferences: [{ uid }] },
        status: { startTime: `2026-01-01T00:00:0${second}Z` },
      }),
      stored("bindings/default/b", { metadata: { name: "b" }, pod: name }),
    ];
    expect(canonicalState(cluster("first", "web-x1y2z", 1))).toEqual(canonicalState(cluster("other one", "web-abcde", 7)));
  });

  it("differs when an owner, a number of generated objects or a field differs", () => {
    const one = canonicalState([owner("a"), stored("pods/default/p", { metadata: { name: "p", ownerReferences: [{ uid: "a" }] } })]);
    const other = canonicalState([owner("a"), stored("pods/default/p", { metadata: { name: "p", ownerReferences: [{ uid: "gone" }] } })]);
    expect(differencesOf(one, other).map(({ path }) => path)).toEqual(["metadata.ownerReferences[0].uid"]);
    const pod = (name: string): Stored => stored(`pods/default/${name}`, { metadata: { name, generateName: "web-" } });
    expect(differencesOf(canonicalState([pod("web-1")]), canonicalState([pod("web-1"), pod("web-2")]))).toEqual([
      { key: "/registry/pods/default/web-*", kind: "extra" },
    ]);
  });

  it("says only whether an observed generation is the current one", () => {
    const at = (generation: number, observedGeneration: number): ReturnType<typeof canonicalState> =>
      canonicalState([
        stored("webapps/default/a", { metadata: { name: "a", generation }, status: { phase: "Ready", observedGeneration } }),
      ]);
    expect(at(2, 2)).toEqual(at(5, 5));
    expect(differencesOf(at(2, 2), at(5, 4)).map(({ path }) => path)).toEqual(["status.observedGeneration"]);
  });

  it("ignores Events, leases, and conditions that only say that a failure is over", () => {
    const app = (conditions: unknown[]): Stored => stored("webapps/default/a", { metadata: { name: "a" }, status: { conditions } });
    expect(
      canonicalState([stored("events/default/e", {}), stored("leases/default/l", {}), app([{ type: "Reconciled", status: "True" }])]),
    ).toEqual(canonicalState([app([])]));
  });
});

describe("maskOf", () => {
  it("hides fields that differ between two runs without faults, and no others", () => {
    const secret = (password: string, user: string): ReturnType<typeof canonicalState> =>
      canonicalState([stored("secrets/default/s", { metadata: { name: "s" }, data: { password, user } })]);
    const mask = maskOf(secret("random", "admin"), secret("other", "admin"));
    expect(differencesOf(secret("random", "admin"), secret("third", "root"), mask).map(({ path }) => path)).toEqual(["data.user"]);
  });
});
