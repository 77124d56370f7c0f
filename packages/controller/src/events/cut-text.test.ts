import { byteLength } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText } from "./cut-text.ts";

describe("cutText", () => {
  it("returns a text that fits unchanged", () => {
    expect([cutText("äöü", 6), cutText("", 0), cutText("a".repeat(1024), 1024, "…")]).toEqual(["äöü", "", "a".repeat(1024)]);
  });

  it("cuts between characters, never within one", () => {
    expect([cutText("äöü", 5), cutText("a😀b", 4), cutText("a😀b", 5), cutText("€€", 4)]).toEqual(["äö", "a", "a😀", "€"]);
  });

  it("leaves room for the mark", () => {
    expect(cutText("a".repeat(2000), 1024, "…")).toBe(`${"a".repeat(1021)}…`);
  });

  it("returns the longest prefix that fits, for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "ä", "€", "😀", "\u0301", "\ud83d", "\ude00"), maxLength: 40 }),
        fc.nat(60),
        (text, bytesMax) => {
          const cut = cutText(text, bytesMax);
          const next = Array.from(text)[Array.from(cut).length];
          expect([text.startsWith(cut), byteLength(cut) <= bytesMax, next === undefined || byteLength(cut + next) > bytesMax]).toEqual([
            true,
            true,
            true,
          ]);
        },
      ),
    );
  });
});
