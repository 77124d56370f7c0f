import { describe, expect, it } from "vitest";
import { firstFew } from "./first-few.ts";

describe("firstFew", () => {
  it("lists up to three items", () => expect(firstFew(["a", "b", "c"], "-")).toBe("a,b,c"));
  it("lists three items and the number of others", () => expect(firstFew(["a", "b", "c", "d", "e"], "-")).toBe("a,b,c + 2 more..."));
  it("returns the given text for an empty list", () => expect(firstFew([], "-")).toBe("-"));
});
