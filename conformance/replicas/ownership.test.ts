import { describe, expect, it } from "vitest";
import { Ownership } from "./ownership.ts";

describe("Ownership", () => {
  const observed = (): Ownership => {
    const ownership = new Ownership();
    ownership.lease({ commit: 1, shard: 0, holder: "a", renewedMs: 1000 });
    ownership.lease({ commit: 5, shard: 0, holder: "a", renewedMs: 2000 });
    ownership.lease({ commit: 20, shard: 0, holder: "b", renewedMs: 7500 });
    ownership.lease({ commit: 30, shard: 0, holder: "", renewedMs: 9000 });
    ownership.lease({ commit: 40, shard: 0, holder: "c", renewedMs: 9400 });
    return ownership;
  };

  it("accepts writes of the holder, and measures the time without one", () => {
    const ownership = observed();
    ownership.write({ commit: 10, key: "x", shard: 0, by: "a" });
    ownership.write({ commit: 21, key: "x", shard: 0, by: "b" });
    expect(ownership.findings()).toEqual({ writes: 2, terms: 3, strayWrites: [], movedKeys: [], takeoverMs: 5500, handoverMs: 400 });
  });

  it("finds writes of replicas that do not hold the shard, and objects in two shards", () => {
    const ownership = observed();
    ownership.lease({ commit: 2, shard: 1, holder: "b", renewedMs: 1000 });
    ownership.write({ commit: 25, key: "x", shard: 0, by: "a" });
    ownership.write({ commit: 35, key: "x", shard: 0, by: "b" });
    ownership.write({ commit: 36, key: "x", shard: 1, by: "b" });
    expect(ownership.findings()).toMatchObject({
      strayWrites: ["a wrote x while b held shard 0", "b wrote x while nobody held shard 0"],
      movedKeys: ["x"],
    });
  });
});
