import { describe, expect, it } from "vitest";
import { byteString, quoteBytes } from "./byte-quote.ts";

describe("quoteBytes", () => {
  it("escapes bytes like Go's time package", () => {
    expect(quoteBytes(byteString('é"\\\t~'))).toBe(String.raw`"\xc3\xa9\"\\\x09~"`);
    expect(byteString("plain")).toBe("plain");
  });
});
