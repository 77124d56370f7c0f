import fc from "fast-check";
import { expect, it } from "vitest";
import { guestLine, jsonLine, lines, oneLine } from "./terminal-text.ts";

const escape = "\u001b";
/** What terminals obey: no control character may remain, except those named. */
const isHarmless = (text: string, except = ""): boolean =>
  Array.from(text).every((character) => except.includes(character) || !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(character));
/** Any text, with many control characters and pieces of sequences. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 3 }),
      fc.constantFrom(escape, "\u009b", "\u009d", "[", "]", "m", "31", ";", "2J", "\u0007", "\\", "\r", "\n", "\t", "P", "\u202e"),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

it("guestLine removes escape sequences (SEC19)", () => {
  for (const [text, clean] of [
    [`${escape}[2Ja`, "a"],
    [`a${escape}[1;1Hb${escape}[?25lc`, "abc"],
    [`${escape}]0;title\u0007a`, "a"],
    [`${escape}]52;c;ZXZpbA==${escape}\\a`, "a"],
    [`${escape}]8;;https://example.com${escape}\\link${escape}]8;;${escape}\\`, "link"],
    [`${escape}Pq#0~${escape}\\a`, "a"],
    [`\u009b2Ja\u009d0;title\u009cb`, "ab"],
    [`${escape}ca${escape}(0b`, "ab"],
    [`a${escape}[31`, "a"],
    [`a${escape}]0;never ends`, "a"],
    [`${escape}[31mred`, "red"],
    ["a\tb\u0008\u0008\u0000", String.raw`a${"\t"}b\x08\x08\x00`],
    [escape, String.raw`\x1b`],
  ] as const)
    expect([text, guestLine(text, "remove")]).toEqual([text, clean]);
});

it("guestLine keeps colours on a terminal, and ends them with the line (SEC19)", () => {
  expect(guestLine(`${escape}[1;31mred${escape}[0m`, "keep")).toBe(`${escape}[1;31mred${escape}[0m${escape}[0m`);
  expect(guestLine(`\u009b38:5:1mred`, "keep")).toBe(`${escape}[38:5:1mred${escape}[0m`);
  expect(guestLine(`${escape}[>4;2mkeys${escape}[?1m${escape}[2 mx`, "keep")).toBe("keysx");
});

it("oneLine and lines show control characters as escapes, and keep all other text", () => {
  expect(oneLine(`a${escape}[2J\n\u0085\u202e`)).toBe(String.raw`a\x1b[2J\x0a\x85\u202e`);
  expect(lines(`a${escape}[2J\n\tb\r`)).toBe("a\\x1b[2J\n\tb\\x0d");
  for (const text of ["naïve Ünïcode 日本語 😀👩‍👩‍👧 עברית ‏", "a\\x1b", ""])
    expect([oneLine(text), lines(text), guestLine(text, "keep")]).toEqual([text, text, text]);
});

it("leaves no control character in any text (SEC19, X23)", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(isHarmless(oneLine(text))).toBe(true);
      expect(isHarmless(lines(text), "\n\t")).toBe(true);
      expect(isHarmless(guestLine(text, "remove"), "\t")).toBe(true);
      expect(isHarmless(guestLine(text, "keep").replaceAll(new RegExp(`${escape}\\[[\\d;:]*m`, "g"), ""), "\t")).toBe(true);
      expect(isHarmless(jsonLine({ text }))).toBe(true);
      expect(JSON.parse(jsonLine({ text }))).toEqual({ text });
    }),
  );
});
