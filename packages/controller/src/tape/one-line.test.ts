import { describe, expect, it } from "vitest";
import { oneLine } from "./one-line.ts";

describe("oneLine", () => {
  it("makes one line of many, and nothing that moves a terminal's cursor", () => {
    expect(oneLine("a\r\nb\u2028c\u001b[2Jd\n")).toBe("a b c [2Jd");
  });
});
