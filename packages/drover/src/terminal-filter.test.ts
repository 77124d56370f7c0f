import fc from "fast-check";
import { expect, it } from "vitest";
import { TerminalFilter } from "./terminal-filter.ts";

const escape = "\u001b";
const filtered = (...chunks: readonly (string | Buffer)[]): string => {
  const filter = new TerminalFilter();
  return chunks.map((chunk) => filter.write(Buffer.from(chunk))).join("");
};

it("TerminalFilter removes escape sequences and keeps prompts, line breaks and tabs (SEC19)", () => {
  for (const [text, shown] of [
    ["Password: ", "Password: "],
    ["a\tb\r\nc 😀", "a\tb\r\nc 😀"],
    [`${escape}[2J${escape}[1;1Ha`, "a"],
    [`${escape}]0;title\u0007a${escape}]52;c;ZXZpbA==${escape}\\b`, "ab"],
    [`\u009b31ma\u009d0;t\u009cb${escape}(Bc${escape}cd\u0008`, "abcd"],
    [`${escape}[31mred${escape}[0m`, "red"],
    [`${escape}${escape}[2Ja`, "a"],
  ] as const)
    expect([text, filtered(text)]).toEqual([text, shown]);
});

it("TerminalFilter gives the same however the output is cut (SEC19)", () => {
  const parts = fc.constantFrom(escape, "[", "]", "2J", "\u009b", "\u0007", "\\", "a", "é", "😀", "\n", "(", "P", "\u202e");
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), fc.nat(), (words, at) => {
      const bytes = Buffer.from(words.join(""));
      const cut = bytes.length === 0 ? 0 : at % bytes.length;
      const whole = filtered(bytes);
      expect(filtered(bytes.subarray(0, cut), bytes.subarray(cut))).toBe(whole);
      expect(/[^\P{Cc}\n\r\t]|[\u202a-\u202e]/u.test(whole)).toBe(false);
    }),
  );
});
