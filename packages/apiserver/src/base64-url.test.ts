import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64Url, toBase64Url } from "./base64-url.ts";

describe("toBase64Url and fromBase64Url", () => {
  it("round-trip bytes without characters that need escaping", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(toBase64Url(bytes)).toMatch(/^[A-Za-z0-9_-]*$/);
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
      }),
    );
  });
  it.each(["a", "ab+c", "ab/c", "YQ==", "a b"])("fromBase64Url refuses %s", (text) => {
    expect(fromBase64Url(text)).toBeUndefined();
  });
});
