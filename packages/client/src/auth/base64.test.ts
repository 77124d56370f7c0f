import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64, encodeBase64 } from "./base64.ts";

describe("base64", () => {
  it("writes UTF-8, as Node does", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(encodeBase64(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
    }));
  });

  it("reads both alphabets, with padding or without", () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => {
      expect(decodeBase64(Buffer.from(bytes).toString("base64"))).toEqual(bytes);
      expect(decodeBase64(Buffer.from(bytes).toString("base64url"))).toEqual(bytes);
    }));
  });

  it("knows what is not base64", () => {
    expect(decodeBase64("a")).toBeUndefined();
    expect(decodeBase64("<>")).toBeUndefined();
  });
});
