import { describe, expect, it } from "vitest";
import { emptyText, patternText, rangeText, tooLongText, wholePattern } from "./rule-text.ts";

describe("rule texts", () => {
  it("are built as the server builds them, commas included", () => {
    expect(patternText("a rule", "[a-z]+", "one", "two")).toBe("a rule (e.g. 'one',  or 'two', regex used for validation is '[a-z]+')");
    expect(patternText("a rule", "[a-z]+")).toBe("a rule (regex used for validation is '[a-z]+')");
    expect([tooLongText(63), tooLongText(63, "bytes"), rangeText(1, 65535), emptyText]).toEqual([
      "must be no more than 63 characters",
      "must be no more than 63 bytes",
      "must be between 1 and 65535, inclusive",
      "must be non-empty",
    ]);
  });

  it("match the whole text with a pattern", () => {
    expect(["a", "b", "ab", "a\n"].map((text) => wholePattern("a|b").test(text))).toEqual([true, true, false, false]);
  });
});
