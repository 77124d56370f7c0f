import { describe, expect, it } from "vitest";
import { checkShardsName, memberLeaseName, readShardLease, shardLabels, shardLeaseName } from "./shard-lease.ts";

describe("leases of shards", () => {
  it("have names that carry the layout, so that layouts never share a lease", () => {
    expect([shardLeaseName("web", 3, { count: 16, by: "hash" }), shardLeaseName("web", 3, { count: 16, by: "namespace" })]).toEqual([
      "web-shard-3-of-16",
      "web-shard-3-of-16-by-namespace",
    ]);
  });

  it("have valid names for identities that are not", () => {
    expect(memberLeaseName("web", "host_5F/ü")).toMatch(/^web-member-[0-9a-f]{16}$/);
    expect(memberLeaseName("web", "a")).not.toBe(memberLeaseName("web", "b"));
  });

  it("tell their role and layout by labels; a lease without them counts as a shard of another layout", () => {
    const labels = shardLabels("web", { count: 4, by: "hash" }, "member");
    expect(readShardLease({ metadata: { name: "x", labels } })).toEqual({ role: "member", layout: "4-by-hash" });
    expect(readShardLease({ metadata: { name: "x" } })).toEqual({ role: "shard", layout: "" });
  });

  it.each(["", "Web", "a".repeat(64), "web/1", "web_1"])("reject the name %j", (name) => {
    expect(() => checkShardsName(name)).toThrow(/^shards.name, /);
  });
});
