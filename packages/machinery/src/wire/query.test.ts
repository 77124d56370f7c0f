import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QueryError, encodeQuery, parseQuery, readBoolean, readInt64, readText } from "./query.ts";

const entries = (text: string): [string, string[]][] => [...parseQuery(text)].map(([key, values]) => [key, [...values]]);

describe("encodeQuery", () => {
  it("sorts by key, keeps the order of one key, and omits undefined", () => {
    expect(
      encodeQuery([
        ["b", 1],
        ["a", "x"],
        ["c", undefined],
        ["a", true],
        ["A", 2n],
      ]),
    ).toBe("A=2&a=x&a=true&b=1");
  });
  it("escapes as Go does", () => {
    expect(
      encodeQuery([
        ["labelSelector", "app in (a,b),c!=d e"],
        ["~-_.", "é!'()*"],
      ]),
    ).toBe("labelSelector=app+in+%28a%2Cb%29%2Cc%21%3Dd+e&~-_.=%C3%A9%21%27%28%29%2A");
  });
});

describe("parseQuery", () => {
  it.each<[string, [string, string[]][]]>([
    ["", []],
    ["a", [["a", [""]]]],
    ["a=", [["a", [""]]]],
    ["=b", [["", ["b"]]]],
    [
      "a=1&a=2&b=3",
      [
        ["a", ["1", "2"]],
        ["b", ["3"]],
      ],
    ],
    ["a=b=c", [["a", ["b=c"]]]],
    ["a=1+2%203", [["a", ["1 2 3"]]]],
    ["a=%zz&b=1", [["b", ["1"]]]],
    ["a;b=1&c=2", [["c", ["2"]]]],
    ["a=%C3%A9", [["a", ["é"]]]],
    ["a=%ff", [["a", ["\ufffd"]]]],
    ["&&a=1&", [["a", ["1"]]]],
    ["__proto__=1", [["__proto__", ["1"]]]],
  ])("reads %j", (text, expected) => expect(entries(text)).toEqual(expected));

  it("parses what was written", () => {
    const pair = fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 5 }), (pairs) => {
        const expected = new Map<string, string[]>();
        for (const [key, value] of pairs) expected.set(key, [...(expected.get(key) ?? []), value]);
        expect(new Map(parseQuery(encodeQuery(pairs)))).toEqual(expected);
      }),
    );
  });
});

describe("readBoolean, readInt64 and readText", () => {
  it("treat anything but no as true", () => {
    const read = (text: string): boolean | undefined => readBoolean(parseQuery(text), "watch");
    expect(
      ["", "watch", "watch=", "watch=1", "watch=true", "watch=banana", "watch=0", "watch=false", "watch=FALSE", "watch=0&watch=1"].map(
        read,
      ),
    ).toEqual([undefined, true, true, true, true, true, false, false, false, false]);
  });
  it("parse 64-bit integers, or fail in Go's words", () => {
    const read = (text: string): number | undefined => readInt64(parseQuery(`limit=${text}`), "limit");
    expect(["0", "-5", "%2B7", "007"].map(read)).toEqual([0, -5, 7, 7]);
    expect(readInt64(parseQuery(""), "limit")).toBeUndefined();
    expect(() => read("abc")).toThrow(new QueryError('strconv.ParseInt: parsing "abc": invalid syntax'));
    expect(() => read("")).toThrow(new QueryError('strconv.ParseInt: parsing "": invalid syntax'));
    expect(() => read("1.5")).toThrow(new QueryError('strconv.ParseInt: parsing "1.5": invalid syntax'));
    expect(() => read("9223372036854775808")).toThrow(
      new QueryError('strconv.ParseInt: parsing "9223372036854775808": value out of range'),
    );
  });
  it("return the first of several, and undefined when empty", () => {
    expect(readText(parseQuery("a=1&a=2"), "a")).toBe("1");
    expect(readText(parseQuery("a=&a=2"), "a")).toBeUndefined();
  });
});
