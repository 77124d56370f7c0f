import { describe, expect, it } from "vitest";
import { RecentMap } from "./recent-map.ts";

describe("RecentMap", () => {
  it("evicts the entry that was set longest ago, and returns it", () => {
    const map = new RecentMap<number>(2);
    expect([map.set("a", 1), map.set("b", 2), map.set("a", 3), map.set("c", 4)]).toEqual([undefined, undefined, undefined, 2]);
    expect([[...map.values()], map.get("b"), map.get("a"), map.size]).toEqual([[3, 4], undefined, 3, 2]);
  });

  it("allows deleting entries during iteration", () => {
    const map = new RecentMap<string>(3);
    for (const key of ["a", "b", "c"]) map.set(key, key);
    for (const key of map.values()) if (key !== "b") map.delete(key);
    expect([...map.values()]).toEqual(["b"]);
  });

  it("rejects a size below 1", () => {
    for (const sizeMax of [0, -1, 1.5, NaN]) expect(() => new RecentMap(sizeMax)).toThrow(RangeError);
  });
});
