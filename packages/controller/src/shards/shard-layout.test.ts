import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { hashText, printLayout, shardLayout, shardOf } from "./shard-layout.ts";

describe("shardLayout", () => {
  it("has 16 shards by hash by default", () => {
    expect([shardLayout({}), printLayout(shardLayout({}))]).toEqual([{ count: 16, by: "hash" }, "16-by-hash"]);
  });

  it.each([
    [{ count: 0 }, "shards.count must be a whole number from 1 to 1024, not 0"],
    [{ count: 1025 }, "shards.count must be a whole number from 1 to 1024, not 1025"],
    [{ count: 1.5 }, "shards.count must be a whole number from 1 to 1024, not 1.5"],
    [{ by: "label" as "hash" }, 'shards.by must be "hash", "namespace" or { label: "example.com/tenant" }, not "label"'],
  ])("rejects %j", (layout, message) => {
    expect(() => shardLayout(layout)).toThrow(new RangeError(message));
  });
});

describe("shardOf", () => {
  it("never changes: replicas of different versions must agree", () => {
    expect(["", "a", "shop/web", "shop/web-1", "größe"].map(hashText)).toEqual([2872998923, 444641715, 1083882110, 843587796, 2538389087]);
  });

  it("spreads keys that differ in one character evenly", () => {
    const loads = Array.from({ length: 16 }, () => 0);
    for (let n = 0; n < 16_000; n++) {
      const shard = shardOf(objectKey(`web-${n}`, "shop"), { count: 16, by: "hash" });
      loads[shard] = (loads[shard] ?? 0) + 1;
    }
    expect([Math.min(...loads) > 850, Math.max(...loads) < 1150]).toEqual([true, true]);
  });

  it("puts a namespace and everything in it into one shard by namespace", () => {
    const layout = { count: 1024, by: "namespace" } as const;
    const shards = [objectKey("shop"), objectKey("web", "shop"), objectKey("db", "shop")].map((key) => shardOf(key, layout));
    expect([new Set(shards).size, shardOf(objectKey("web", "bank"), layout) === shards[0]]).toEqual([1, false]);
  });

  it("puts objects with the same value of a label into one shard, and others where their key is", () => {
    const layout = { count: 1024, by: { label: "example.com/tenant" } } as const;
    const keys = [objectKey("web", "shop"), objectKey("db", "bank")];
    expect(new Set(keys.map((key) => shardOf(key, layout, "a"))).size).toBe(1);
    expect(keys.map((key) => shardOf(key, layout))).toEqual(keys.map((key) => shardOf(key, { count: 1024, by: "hash" })));
    expect(printLayout(layout)).toMatch(/^1024-by-label-[0-9a-f]{8}$/);
    expect(() => shardLayout({ by: { label: "no label" } })).toThrow(/^shards.by.label, "no label", is no name of a label/);
  });
});
