import type { Lease } from "@drover/api/coordination/v1";
import { describe, expect, it } from "vitest";
import { shardLabels } from "./shard-lease.ts";
import { announcement, planShards, sawLeases } from "./shards-state.ts";
import type { ShardsRules, ShardsState } from "./shards-state.ts";

const rules: ShardsRules = { layout: "4-by-hash", leaseDurationMs: 15_000, freshMs: 6000, member: "web-member-me" };
const empty: ShardsState = new Map();

function lease(
  name: string,
  {
    role = "member",
    count = 4,
    holder = "other",
    version = "1",
  }: Partial<Record<"role" | "holder" | "version", string>> & { count?: number } = {},
): Lease {
  const time = "2026-01-01T00:00:00.000000Z";
  return {
    metadata: { name, uid: name, resourceVersion: version, labels: { ...shardLabels("web", { count, by: "hash" }, role as "member") } },
    spec: { holderIdentity: holder, leaseDurationSeconds: holder === "" ? 1 : 15, acquireTime: time, renewTime: time },
  };
}

const names = (state: ShardsState, atMs: number) => {
  const { members, strangers, garbage, nextMs } = planShards(state, atMs, rules);
  return { members, strangers: strangers.map(({ name }) => name), garbage: garbage.map(({ metadata }) => metadata.name), nextMs };
};

describe("planShards", () => {
  it("counts on a member until it was not seen to renew for three periods, however old its lease is", () => {
    const seen = sawLeases(empty, [lease("m")], 1000, rules);
    const again = sawLeases(seen, [lease("m")], 6000, rules);
    expect([names(again, 6999).members, names(again, 6999).nextMs, names(again, 7000).members]).toEqual([["m"], 16_000, []]);
    expect(names(sawLeases(again, [lease("m", { version: "2" })], 15_999, rules), 21_998).members).toEqual(["m"]);
  });

  it("does not count a member that has released its lease", () => {
    expect(names(sawLeases(empty, [lease("m", { holder: "" })], 0, rules), 0).members).toEqual([]);
  });

  it("reports live leases of another layout as strangers, shards first", () => {
    const leases = [lease("a", { count: 8 }), lease("b", { count: 8, role: "shard" }), lease("c", { count: 8, role: "shard", holder: "" })];
    expect(names(sawLeases(empty, leases, 0, rules), 14_999).strangers).toEqual(["b", "a"]);
    expect(names(sawLeases(empty, leases, 0, rules), 15_000).strangers).toEqual([]);
  });

  it("counts a deleted lease as held for a full duration, unless it had expired before", () => {
    const seen = sawLeases(empty, [lease("b", { count: 8, role: "shard" })], 0, rules);
    const gone = sawLeases(sawLeases(seen, [], 10_000, rules), [], 12_000, rules);
    expect([names(gone, 24_999).strangers, names(gone, 25_000).strangers]).toEqual([["b"], []]);
    expect(sawLeases(seen, [], 15_000, rules).size).toBe(0);
  });

  it("deletes leases of dead members and of another layout after ten durations, never our own or shards of our layout", () => {
    const leases = [lease("m"), lease("s", { role: "shard" }), lease("b", { count: 8, role: "shard" }), lease(rules.member)];
    const seen = sawLeases(empty, leases, 0, rules);
    expect([names(seen, 149_999).garbage, names(seen, 150_000).garbage]).toEqual([[], ["m", "b"]]);
  });
});

describe("announcement", () => {
  const stranger = (role: "shard" | "member", name: string) => ({ strangers: [{ role, name, layout: "8-by-hash" }] });
  const decide = (plan: Parameters<typeof announcement>[0], isAnnounced: boolean, isActive = false) =>
    announcement(plan, { isAnnounced, isActive, member: "m" });

  it("waits without announcing this replica while another layout is alive", () => {
    expect([decide({ strangers: [] }, false), decide(stranger("member", "z"), false)]).toEqual(["announce", "keep"]);
  });

  it("withdraws when two layouts announced themselves at once, except for the lowest name", () => {
    expect([decide(stranger("member", "a"), true), decide(stranger("member", "z"), true)]).toEqual(["withdraw", "keep"]);
    expect(decide(stranger("shard", "z"), true)).toBe("withdraw");
  });

  it("stays while this replica works", () => {
    expect(decide(stranger("shard", "a"), true, true)).toBe("keep");
  });
});
