import { describe, expect, it } from "vitest";
import { oneLine } from "./one-line.ts";

describe("oneLine", () => {
  it("joins lines, and removes control characters of terminals", () => {
    expect(oneLine("a\r\nb\u2028c\u001b[2Jd\n")).toBe("a b c [2Jd");
  });
});
