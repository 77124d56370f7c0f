import { describe, expect, it } from "vitest";
import { unexplained } from "./known-differences.ts";

describe("known differences", () => {
  it("explain a step as a whole, and no other", () => {
    const [first, second, other] = [
      { at: "1 GET /: body.code", expected: 1, actual: 2 },
      { at: "1 GET /: status", expected: 1, actual: 2 },
      { at: "12 GET /: status", expected: 1, actual: 2 },
    ];
    const known = [
      {
        matches: (differences: readonly { readonly at: string }[]) => differences.some(({ at }) => at.endsWith("code")),
        reason: "because",
      },
    ];
    expect(unexplained([first, second, other], known)).toEqual([other]);
    expect(unexplained([first, second, other], [])).toEqual([first, second, other]);
  });
});
