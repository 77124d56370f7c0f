import { describe, expect, it } from "vitest";
import { safeEncode } from "./safe-encode.ts";

describe("safeEncode", () => {
  it("returns no vowels and no characters that look alike", () => {
    expect(safeEncode("0123456789")).toBe("456789bcdf");
    expect(safeEncode("aeiou")).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(safeEncode("")).toBe("");
  });
});
