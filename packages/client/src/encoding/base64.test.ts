import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64, encodeBase64, isStandardBase64, textFromBase64 } from "./base64.ts";

describe("base64", () => {
  it("encodes text and bytes as Node does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.uint8Array(), (text, bytes) => {
        expect(encodeBase64(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      }),
    );
    expect(encodeBase64(new Uint8Array(200_000))).toHaveLength(Math.ceil(200_000 / 3) * 4);
  });

  it("decodes both alphabets, with and without padding", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeBase64(Buffer.from(bytes).toString("base64"))).toEqual(bytes);
        expect(decodeBase64(Buffer.from(bytes).toString("base64url"))).toEqual(bytes);
      }),
    );
    expect([decodeBase64("a"), decodeBase64("<>")]).toEqual([undefined, undefined]);
  });

  it("of a kubeconfig must be padded and may have line breaks", () => {
    expect(["", "YQ==", "YWI=", "YW\nJj", "YWJj\r\n"].map(isStandardBase64)).toEqual([true, true, true, true, true]);
    expect(["YQ", "Y===", "Y Q==", "YQ==YQ==", "Y-_="].map(isStandardBase64)).toEqual([false, false, false, false, false]);
  });

  it("decodes to the original text, with or without line breaks", () => {
    const text = "-----BEGIN é\n\u0000-----";
    expect(textFromBase64(`${encodeBase64(text).slice(0, 8)}\n${encodeBase64(text).slice(8)}`)).toBe(text);
  });
});
