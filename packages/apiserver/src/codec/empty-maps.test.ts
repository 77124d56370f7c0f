import { describe, expect, it } from "vitest";
import { emptyMapsOf } from "./empty-maps.ts";

describe("empty maps", () => {
  it("are found at any depth, also in lists", () => {
    expect([...emptyMapsOf({ a: {}, b: { c: [{ d: {} }, {}] }, e: [], f: null })]).toEqual(["a", "b.c[0].d", "b.c[1]"]);
  });
});
