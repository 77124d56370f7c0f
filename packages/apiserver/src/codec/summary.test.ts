import { describe, expect, it } from "vitest";
import { summarize } from "./summary.ts";

describe("summarize", () => {
  it("returns the start of text that looks like an object", () => {
    expect(summarize("{bad")).toBe("{bad");
    expect(summarize(`{bad${"x".repeat(50)}`)).toBe(`{bad${"x".repeat(26)} ...`);
    expect(summarize(`{${"x".repeat(29)}`)).toBe(`{${"x".repeat(29)}`);
  });
  it("returns other bodies in hexadecimal, and reports an empty one", () => {
    expect(summarize("[]")).toBe("5b5d");
    expect(summarize("é")).toBe("c3a9");
    expect(summarize("hello there this is a text which is long enough to be cut")).toBe(
      "68656c6c6f20746865726520746869732069732061207465787420776869 ...",
    );
    expect(summarize("")).toBe("<empty>");
    expect(summarize(Uint8Array.of(0x6b, 0xff))).toBe("6bff");
    expect(summarize(new Uint8Array())).toBe("<empty>");
  });
});
