import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { escapePointerToken, parseJsonPointer, printJsonPointer, unescapePointerToken } from "./json-pointer.ts";

describe("JSON pointers", () => {
  it.each([
    ["", []],
    ["/", [""]],
    ["/foo/0", ["foo", "0"]],
    ["/a~1b", ["a/b"]],
    ["/c%d", ["c%d"]],
    ["/ ", [" "]],
    ["/m~0n", ["m~n"]],
    ["/~01", ["~1"]],
    ["//", ["", ""]],
    ['/i\\j/k"l', ["i\\j", 'k"l']],
    ["/metadata/labels/app.kubernetes.io~1name", ["metadata", "labels", "app.kubernetes.io/name"]],
  ])("parse %j and print it again", (text, tokens) => {
    expect(parseJsonPointer(text)).toEqual(tokens);
    expect(printJsonPointer(tokens)).toBe(text);
  });

  it("print indexes as they are", () => expect(printJsonPointer(["spec", "containers", 0])).toBe("/spec/containers/0"));

  it("reject anything else, and say what to write instead", () => {
    expect(() => parseJsonPointer("a/b")).toThrow('JSON pointer "a/b" must be empty or start with "/"');
    expect(() => parseJsonPointer("/a~")).toThrow('has a "~" at position 2 that is not "~0" or "~1": write "~0" for "~"');
    expect(() => parseJsonPointer("/~2")).toThrow(SyntaxError);
  });

  it("round-trip any tokens", () => {
    const token = fc.oneof(fc.string(), fc.stringMatching(/^[~/01]{0,6}$/));
    fc.assert(
      fc.property(fc.array(token, { maxLength: 5 }), (tokens) => {
        expect(parseJsonPointer(printJsonPointer(tokens))).toEqual(tokens);
        for (const each of tokens) expect(unescapePointerToken(escapePointerToken(each))).toBe(each);
      }),
    );
  });

  it("leave a tilde that escapes nothing alone, when unescaped leniently", () => expect(unescapePointerToken("~2~")).toBe("~2~"));
});
