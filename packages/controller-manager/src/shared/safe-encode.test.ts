import { describe, expect, it } from "vitest";
import { safeEncode } from "./safe-encode.ts";

describe("safe text", () => {
  it("has no vowels and nothing that looks like another character", () => {
    expect(safeEncode("0123456789")).toBe("456789bcdf");
    expect(safeEncode("aeiou")).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(safeEncode("")).toBe("");
  });
});
