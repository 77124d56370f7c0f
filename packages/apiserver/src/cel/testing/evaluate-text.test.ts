import { describe, expect, it } from "vitest";
import { checkText, valueOf } from "./evaluate-text.ts";

describe("evaluating a text", () => {
  it("gives values, messages of failures, and throws what does not fit", () => {
    expect([valueOf("1 + 1"), valueOf("1 / 0"), valueOf("self", 5n)]).toEqual([2n, "division by zero", 5n]);
    expect(() => checkText("1 +")).toThrow("Syntax error");
  });
});
