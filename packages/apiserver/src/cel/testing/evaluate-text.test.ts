import { describe, expect, it } from "vitest";
import { checkText, valueOf } from "./evaluate-text.ts";

describe("valueOf", () => {
  it("returns CEL values and failure messages, and throws type errors", () => {
    expect([valueOf("1 + 1"), valueOf("1 / 0"), valueOf("self", 5n)]).toEqual([2n, "division by zero", 5n]);
    expect(() => checkText("1 +")).toThrow("Syntax error");
  });
});
