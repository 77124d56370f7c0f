import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapWords } from "./wrap-words.ts";

describe("wrapWords", () => {
  it("keeps a short text on one line", () => {
    expect(wrapWords("port 1 is in use")).toBe("port 1 is in use");
  });

  it("keeps all words, and lines within 72 characters unless a word is longer", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,90}$/), { minLength: 1, maxLength: 40 }), (words) => {
        const lines = wrapWords(words.join(" ")).split("\n");
        expect(lines.flatMap((line) => line.split(" "))).toEqual(words);
        for (const line of lines) expect(line.length <= 72 || !line.includes(" ")).toBe(true);
      }),
    );
  });
});
