import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printGoJson } from "./go-json.ts";

describe("printGoJson", () => {
  it("sorts keys by bytes and escapes HTML characters", () => {
    expect(printGoJson({ b: 1, a: "<&>", "😀": [], "\ue000": {} })).toBe('{"a":"\\u003c\\u0026\\u003e","b":1,"\ue000":{},"😀":[]}');
    expect(printGoJson("\u2028\u0000\u007f\ud800")).toBe('"\\u2028\\u0000\u007f\ufffd"');
  });

  it("keeps 64-bit integers exact and prints larger ones as floats", () => {
    expect(printGoJson([9223372036854775807n, -9223372036854775808n, 18446744073709551615n, 100000000000000000000n])).toBe(
      "[9223372036854775807,-9223372036854775808,18446744073709551615,100000000000000000000]",
    );
    expect(printGoJson(10n ** 30n)).toBe("1e+30");
    expect(printGoJson([1e21, 1e-7, 0.1, -0])).toBe("[1e+21,1e-7,0.1,-0]");
  });

  it("omits undefined members and prints undefined items as null", () => {
    expect(printGoJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
    expect(printGoJson(undefined)).toBe("null");
  });

  it("reads own keys only", () => {
    expect(printGoJson(JSON.parse('{"__proto__":1,"constructor":2}'))).toBe('{"__proto__":1,"constructor":2}');
  });

  it("is reversible", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(printGoJson(plain))).toEqual(plain);
      }),
    );
  });
});
