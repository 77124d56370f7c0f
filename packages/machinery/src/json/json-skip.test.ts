import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { managedListEnd, skipKey, skipValue } from "./json-skip.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("skipValue", () => {
  it("returns the end of a value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(",", "}", "]"), (value, behind) => {
        const text = JSON.stringify(value);
        expect(skipValue(bytes(`  ${text}${behind}"x":[1]`), 2)).toBe(bytes(text).length + 2);
      }),
    );
  });
  it("is not misled by managed fields or lookalikes", () => {
    for (const inner of [
      '{"managedFields":[{"f:a":{}}],"name":1}',
      '{"m":{"managedFields":[]},"spec":[1]}',
      '{"managedFields":["]},"],"a":1}',
      '{"managedFields":[["]"],2],"b":[]}',
      '"managedFields"',
      '["managedFields",[1],"x"]',
    ]) {
      expect(skipValue(bytes(`${inner},"after":[{}]`), 0), inner).toBe(inner.length);
    }
  });
  it("returns -1 for an unterminated value", () => {
    for (const text of [' {"a":1,"b":2}', "\t[1,2]", '\n"a,"', "1 ,", 'tru"e",', '{"a":1', '"abc', '"abc\\"', "[1,2", "12", "", ","])
      expect(skipValue(bytes(text), 0), text).toBe(-1);
  });
});

describe("managedListEnd", () => {
  it("finds the end where a key follows", () => {
    for (const text of ['[{"f:a":{}}]},"spec":{}', '[1],"name":"a"']) expect(managedListEnd(bytes(text), 0)).toBe(text.indexOf("]") + 1);
  });
  it("returns -1 where it cannot tell without walking", () => {
    for (const text of ['["]},","a"]', "[[1],2]", '[[1],"b"]', "[1]}}", '[1],"', "[1", '["]},\\"spec"],"a":1'])
      expect(managedListEnd(bytes(text), 0), text).toBe(-1);
  });
});

describe("skipKey", () => {
  it("finds the value of a plain key", () => {
    expect(skipKey(bytes('{"name":5'), 1)).toBe(8);
  });
  it("returns -1 for anything else", () => {
    for (const text of ['"a\\u0062":1', '"a" :1', "5", '"a"', '"', ""]) expect(skipKey(bytes(text), 0), text).toBe(-1);
  });
});
