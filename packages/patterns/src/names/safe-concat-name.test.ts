import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeConcatName } from "./safe-concat-name.ts";

describe("safeConcatName", () => {
  it("joins parts up to 63 characters (§3.18)", () => {
    expect(safeConcatName("web", "frontend")).toBe("web-frontend");
    expect(safeConcatName("a".repeat(63))).toBe("a".repeat(63));
  });

  it("cuts longer names and adds five digits of the hash (§3.18)", () => {
    expect(safeConcatName("a".repeat(64))).toBe(`${"a".repeat(57)}-ffe05`);
  });

  it("cuts one more character, and adds six digits, if the cut would not end in a letter or digit (§3.18)", () => {
    expect(safeConcatName("a".repeat(56), "b".repeat(10))).toBe(
      `${"a".repeat(56)}-${safeConcatName("a".repeat(56), "b".repeat(10)).slice(-6)}`,
    );
    expect(safeConcatName("a".repeat(56), "b".repeat(10))).toHaveLength(63);
  });

  it("never exceeds a label value, and distinguishes different long parts", () => {
    const part = fc.stringMatching(/^[a-z0-9.-]{1,80}$/);
    fc.assert(
      fc.property(part, part, (left, right) => {
        expect(safeConcatName(left, right).length).toBeLessThanOrEqual(63);
        if (left !== right && left.length > 63) expect(safeConcatName(left, "x")).not.toBe(safeConcatName(right, "x"));
      }),
    );
  });
});
