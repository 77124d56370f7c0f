import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countKeys } from "./key-count.ts";

describe("countKeys", () => {
  it("counts keys, however their colons are spaced", () => {
    expect(countKeys('{"a":1,"b" : {"c"\n:[{"":"x"}]}}').keysMax).toBe(4);
    expect(countKeys("[1,2]").keysMax).toBe(0);
  });
  it("distinguishes quotes inside a string from delimiters", () => {
    expect(countKeys(String.raw`{"a":"x\":y","k:{\"name\":\"b\"}":1}`).keysMax).toBe(2);
    expect(countKeys(String.raw`{"a\\":1,"b\\\"":2,"c\\\":3":4}`).keysMax).toBe(3);
  });
  it("detects duplicate keys, and overcounts for strings that start with a colon", () => {
    expect(countKeys('{"a":1,"a":2}').keysMax).toBe(2);
    expect(countKeys('{"a":":8080"}').keysMax).toBe(2);
  });
  it("detects numbers with a fraction or exponent after keys, but not in strings", () => {
    for (const number of ["1.0", "-1.5", "1e3", "2E5", " 1.0"]) expect(countKeys(`{"a":${number}}`).hasFraction, number).toBe(true);
    for (const value of ["1", "-1", "0", '"1.0"', '"nginx:1.21"', "[1.0]", '"x"', "null"])
      expect(countKeys(`{"a":${value}}`).hasFraction, value).toBe(false);
  });
  it("never counts fewer keys than there are", () => {
    const text = fc.string({ unit: fc.constantFrom("a", ":", '"', "\\", " ", "{", ",") });
    fc.assert(fc.property(fc.dictionary(text, text), (object) => countKeys(JSON.stringify(object)).keysMax >= Object.keys(object).length));
  });
});
