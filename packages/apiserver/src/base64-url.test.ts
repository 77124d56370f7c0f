import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64Url, toBase64Url } from "./base64-url.ts";

describe("base64 for URLs", () => {
  it("is what it was made of, and needs no escapes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(toBase64Url(bytes)).toMatch(/^[A-Za-z0-9_-]*$/);
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes);
      }),
    );
  });
  it.each(["a", "ab+c", "ab/c", "YQ==", "a b"])("%s is none", (text) => {
    expect(fromBase64Url(text)).toBeUndefined();
  });
});
