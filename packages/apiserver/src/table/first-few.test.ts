import { describe, expect, it } from "vitest";
import { firstFew } from "./first-few.ts";

describe("the first few", () => {
  it("are all when there are three", () => expect(firstFew(["a", "b", "c"], "-")).toBe("a,b,c"));
  it("are three of more, and how many are left", () => expect(firstFew(["a", "b", "c", "d", "e"], "-")).toBe("a,b,c + 2 more..."));
  it("are what the caller says when there are none", () => expect(firstFew([], "-")).toBe("-"));
});
