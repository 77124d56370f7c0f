import { describe, expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

const lines = (...items: readonly (string | number)[]): string => items.join("\n");

describe("unifiedDiff", () => {
  it("is empty for equal texts", () => {
    expect(unifiedDiff("a\nb", "a\nb")).toBe("");
  });

  it("prints a changed line with three lines of context", () => {
    expect(unifiedDiff(lines(1, 2, 3, 4, 5, 6, 7, 8, 9), lines(1, 2, 3, 4, "x", 6, 7, 8, 9))).toBe(
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n",
    );
  });

  it("prints added and removed lines", () => {
    expect(unifiedDiff(lines(1, 2), lines(1, "a", 2))).toBe("@@ -1,2 +1,3 @@\n 1\n+a\n 2\n");
    expect(unifiedDiff(lines(1, 2), lines(2))).toBe("@@ -1,2 +1 @@\n-1\n 2\n");
  });

  it("splits distant changes into hunks", () => {
    const from = Array.from({ length: 20 }, (_, index) => String(index));
    const to = from.with(1, "a").with(18, "b");
    expect(unifiedDiff(from.join("\n"), to.join("\n"))).toBe(
      "@@ -1,5 +1,5 @@\n 0\n-1\n+a\n 2\n 3\n 4\n@@ -16,5 +16,5 @@\n 15\n 16\n 17\n-18\n+b\n 19\n",
    );
  });

  it("keeps changes with shared context in one hunk", () => {
    expect(unifiedDiff(lines("a", 1, 2, 3, 4, 5, 6, "b"), lines("x", 1, 2, 3, 4, 5, 6, "y"))).toBe(
      "@@ -1,8 +1,8 @@\n-a\n+x\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+y\n",
    );
  });

  it("ignores popular lines of long texts", () => {
    const from = [...Array.from({ length: 200 }, () => "same"), "end"];
    expect(unifiedDiff(from.join("\n"), ["start", ...from].join("\n"))).toBe("@@ -1,3 +1,4 @@\n+start\n same\n same\n same\n");
  });
});
