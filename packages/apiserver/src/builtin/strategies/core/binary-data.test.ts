import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binaryLength, decodeBinary, encodeBinary } from "./binary-data.ts";

describe("bytes in base64", () => {
  it("are none where a client sent null", () => {
    expect(binaryLength(null)).toBe(0);
    expect(decodeBinary(null)).toEqual(new Uint8Array());
  });
  it("are counted and read as they were written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const bytes = new TextEncoder().encode(text);
        const base64 = encodeBinary(text);
        expect(binaryLength(base64)).toBe(bytes.length);
        expect([...decodeBinary(base64)]).toEqual([...bytes]);
      }),
    );
  });
});
