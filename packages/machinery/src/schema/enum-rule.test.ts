import { describe, expect, it } from "vitest";
import { matchesEnum } from "./enum-rule.ts";

describe("matchesEnum", () => {
  it("compares whole values, objects in any key order", () => {
    expect(matchesEnum({ a: 1, b: [2] }, [{ b: [2], a: 1 }])).toBe(true);
    expect(matchesEnum({ a: 1 }, [{ a: 2 }])).toBe(false);
    expect(matchesEnum("1", [1])).toBe(false);
    expect(matchesEnum(5n, [5])).toBe(true);
  });

  it("never matches null", () => expect(matchesEnum(null, [null])).toBe(false));

  it("converts numbers as the server does: to integers, and to characters", () => {
    expect(matchesEnum(2.5, [2])).toBe(true);
    expect(matchesEnum(2, [2.5])).toBe(false);
    expect(matchesEnum(65, ["A"])).toBe(true);
    expect(matchesEnum(0xd800, ["\ufffd"])).toBe(true);
    expect(matchesEnum(65.5, ["A"])).toBe(false);
  });
});
