import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binaryLength, decodeBinary, encodeBinary } from "./binary-data.ts";

describe("base64 data", () => {
  it("counts null as empty", () => {
    expect(binaryLength(null)).toBe(0);
    expect(decodeBinary(null)).toEqual(new Uint8Array());
  });
  it("is counted and encoded by bytes", () => {
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
