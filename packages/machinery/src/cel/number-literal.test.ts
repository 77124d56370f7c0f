import { describe, expect, it } from "vitest";
import { readNumber } from "./number-literal.ts";

describe("readNumber", () => {
  it("accepts 64-bit numbers and no larger ones", () => {
    expect(readNumber("int", "-9223372036854775808")).toBe(-(2n ** 63n));
    expect(readNumber("int", "9223372036854775808")).toBeUndefined();
    expect(readNumber("uint", "0xFFFFFFFFFFFFFFFFu")).toEqual({ uint: 2n ** 64n - 1n });
    expect(readNumber("float", "1e999")).toBeUndefined();
  });
});
