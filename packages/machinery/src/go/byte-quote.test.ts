import { describe, expect, it } from "vitest";
import { byteString, quoteBytes } from "./byte-quote.ts";

describe("bytes in quotes", () => {
  it("are shown by number in the way of the time package", () => {
    expect(quoteBytes(byteString('é"\\\t~'))).toBe(String.raw`"\xc3\xa9\"\\\x09~"`);
    expect(byteString("plain")).toBe("plain");
  });
});
