import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenize } from "./selector-token.ts";

const cut = (text: string): string[] => tokenize(text).map((token) => token.text);

describe("tokenize", () => {
  it("returns words and the longest symbols", () => {
    expect(cut("x in (a,b),!y,z!=c,w==d,v=e,u>1,t<2")).toEqual([
      "x",
      "in",
      "(",
      "a",
      ",",
      "b",
      ")",
      ",",
      "!",
      "y",
      ",",
      "z",
      "!=",
      "c",
      ",",
      "w",
      "==",
      "d",
      ",",
      "v",
      "=",
      "e",
      ",",
      "u",
      ">",
      "1",
      ",",
      "t",
      "<",
      "2",
    ]);
    expect(cut("===!!=")).toEqual(["==", "=", "!", "!="]);
  });

  it("splits at space, tab and line ends only", () => {
    expect(cut(" a\tb\r\nc\u00a0d\ve")).toEqual(["a", "b", "c\u00a0d\ve"]);
    expect(tokenize("in (")).toEqual([
      { kind: "word", text: "in" },
      { kind: "symbol", text: "(" },
    ]);
  });

  it("ends at a NUL where a token should start, and ends only the token within one", () => {
    expect(cut("a\0b")).toEqual(["a", "b"]);
    expect(cut("a=\0b")).toEqual(["a", "=", "b"]);
    expect(cut("a \0b")).toEqual(["a"]);
    expect(cut("a\0\0b")).toEqual(["a"]);
  });

  it("keeps everything but blanks", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "é", "=", "!", "(", ")", ",", "<", ">", " ", "\t", "\n") }),
        (text) => cut(text).join("") === text.replaceAll(/[ \t\r\n]/g, ""),
      ),
    );
  });
});
