import { describe, expect, it } from "vitest";

import { byteString, quoteBytes, quoteGo } from "./go-quote.ts";

describe("quotes as Go prints them", () => {
  it("escapes what cannot be seen and leaves the rest", () => {
    expect(quoteGo('a"\\\n\u0007\u0000é日😀')).toBe(String.raw`"a\"\\\n\a\x00é日😀"`);
    expect(quoteGo("\u007f\u00ad\u200b\u{e0001}\u00a0")).toBe(String.raw`"\x7f\u00ad\u200b\U000e0001\u00a0"`);
    expect(quoteGo("\ud800x\udc00")).toBe('"\ufffdx\ufffd"');
  });

  it("shows bytes by number in the way of the time package", () => {
    expect(quoteBytes(byteString('é"\\\t~'))).toBe(String.raw`"\xc3\xa9\"\\\x09~"`);
    expect(byteString("plain")).toBe("plain");
  });
});
