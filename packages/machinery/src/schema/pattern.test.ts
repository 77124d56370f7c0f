import { describe, expect, it } from "vitest";
import { compilePattern } from "./pattern.ts";

describe("compilePattern", () => {
  it("matches anywhere in the text and knows RE2 flags", () => {
    expect(compilePattern("(?i)b").test("aBc")).toBe(true);
    expect(compilePattern("^b").test("ab")).toBe(false);
  });

  it("rejects everything and says why when it does not compile", () => {
    const pattern = compilePattern("(");
    expect(pattern.error).toBe("error parsing regexp: missing closing ): `(`");
    expect(pattern.test("")).toBe(false);
  });
});
