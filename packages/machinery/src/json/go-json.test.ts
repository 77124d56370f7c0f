import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printGoJson } from "./go-json.ts";

describe("JSON as Go writes it", () => {
  it("sorts keys by their bytes and escapes what HTML would trip over", () => {
    expect(printGoJson({ b: 1, a: "<&>", "😀": [], "\ue000": {} })).toBe('{"a":"\\u003c\\u0026\\u003e","b":1,"\ue000":{},"😀":[]}');
    expect(printGoJson("\u2028\u0000\u007f\ud800")).toBe('"\\u2028\\u0000\u007f\ufffd"');
  });

  it("keeps whole numbers of 64 bits exact and makes larger ones floats", () => {
    expect(printGoJson([9223372036854775807n, -9223372036854775808n, 18446744073709551615n, 100000000000000000000n])).toBe(
      "[9223372036854775807,-9223372036854775808,18446744073709551615,100000000000000000000]",
    );
    expect(printGoJson(10n ** 30n)).toBe("1e+30");
    expect(printGoJson([1e21, 1e-7, 0.1, -0])).toBe("[1e+21,1e-7,0.1,-0]");
  });

  it("leaves undefined members out and prints undefined items as null", () => {
    expect(printGoJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
    expect(printGoJson(undefined)).toBe("null");
  });

  it("reads keys of the object itself only, whatever they are called", () => {
    expect(printGoJson(JSON.parse('{"__proto__":1,"constructor":2}'))).toBe('{"__proto__":1,"constructor":2}');
  });

  it("loses nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(printGoJson(plain))).toEqual(plain);
      }),
    );
  });
});
