import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatQuantityText, parseQuantityText } from "./quantity-text.ts";

describe("parseQuantityText and formatQuantityText", () => {
  it("keep the text only where the API server returns it", () => {
    expect(parseQuantityText("1500m").verbatim).toBe("1500m");
    expect(parseQuantityText("1000m").verbatim).toBeUndefined();
    expect(parseQuantityText("001Ki").verbatim).toBe("001Ki");
    expect(parseQuantityText("8Ki").verbatim).toBeUndefined();
  });

  it("format a binary amount below 1024, or with a fraction, with decimal suffixes", () => {
    expect(formatQuantityText({ amount: { unscaled: 1023n, exponent: 0 }, format: "BinarySI" })).toBe("1023");
    expect(formatQuantityText({ amount: { unscaled: 10_245n, exponent: -1 }, format: "BinarySI" })).toBe("1024500m");
    expect(formatQuantityText({ amount: { unscaled: -1024n, exponent: 0 }, format: "BinarySI" })).toBe("-1Ki");
  });

  it("format without a suffix, like the API server, where none is large enough", () => {
    expect(formatQuantityText(parseQuantityText("1000E"))).toBe("1");
    expect(formatQuantityText({ amount: { unscaled: 1024n ** 7n, exponent: 0 }, format: "BinarySI" })).toBe("1");
  });

  it("keep 32 bits of an exponent, like the API server", () => {
    expect(parseQuantityText("1e4294967299").amount).toEqual({ unscaled: 1n, exponent: 3 });
  });

  it("format a canonical text that parses to the same amount", () => {
    const canonical = fc
      .tuple(fc.integer({ min: 1, max: 999 }), fc.constantFrom("n", "u", "m", "", "k", "M", "G", "T", "P", "E", "e9", "e-6"))
      .map((parts) => parts.join(""));
    fc.assert(fc.property(canonical, (text) => formatQuantityText(parseQuantityText(text)) === text));
  });
});
