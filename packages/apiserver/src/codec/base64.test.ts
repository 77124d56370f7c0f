import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalBase64, decodeBase64, encodeBase64, isCanonicalBase64 } from "./base64.ts";

describe("canonicalBase64", () => {
  it("keeps text that Go would write", () => {
    for (const text of ["", "YQ==", "YWI=", "YWJj", "AAAA/+8="])
      expect([isCanonicalBase64(text), canonicalBase64(text)]).toEqual([true, text]);
  });
  it("skips line breaks and trailing bits", () => {
    expect(canonicalBase64("YW\nJj\r\n")).toBe("YWJj");
    expect(canonicalBase64("YQ=\n=\n")).toBe("YQ==");
    expect(canonicalBase64("YR==")).toBe("YQ==");
    expect(canonicalBase64("YWL=")).toBe("YWI=");
  });
  it.each([
    ["!!!", 0],
    ["YQ", 0],
    ["YWJjY", 4],
    ["YWJjYQ", 4],
    ["=", 0],
    ["Y===", 1],
    ["YQ=", 3],
    ["YQ=a", 2],
    ["YQ==x", 4],
    ["YWI=Y", 4],
    ["YW é", 2],
    ["YWé=", 2],
  ])("refuses %j at byte %d, as Go does", (text, offset) => {
    expect(() => canonicalBase64(text)).toThrow(new Error(`illegal base64 data at input byte ${offset}`));
  });
  it("encodeBase64 and decodeBase64 round-trip bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64(bytes);
        expect(isCanonicalBase64(text)).toBe(true);
        expect(decodeBase64(text)).toEqual(bytes);
      }),
    );
  });
});
