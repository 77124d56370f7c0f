import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayLoseDigits } from "./json-numbers.ts";

describe("mayLoseDigits", () => {
  it.each([
    "123456789012345",
    "[1,2,3]",
    '"1234567890123456"',
    "0.1234567890123456789",
    '{"a":"x1234567890123456"}',
    '"1234567890123456-1234567890123456,"',
    '"1234567890123456x1234567890123456,"',
    "",
  ])("is false for %s", (text) => expect(mayLoseDigits(text)).toBe(false));
  it.each([
    "1234567890123456",
    "-1234567890123456",
    "[1234567890123456]",
    '{"a":1234567890123456}',
    "1234567890123456.5",
    "1234567890123456e2",
    " 1234567890123456 ",
  ])("is true for %s", (text) => expect(mayLoseDigits(text)).toBe(true));
  it("finds every long number in every text", () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.bigInt({ min: 10n ** 15n, max: 10n ** 25n }),
        fc.boolean(),
        fc.json(),
        (before, number, negative, after) => {
          expect(mayLoseDigits(`[${before},${negative ? "-" : ""}${number},${after}]`)).toBe(true);
        },
      ),
    );
  });
  it("finds a long number after any digits in strings", () => {
    const digits = `"${"1".repeat(40)}"`;
    expect([mayLoseDigits(`[${digits},${digits}]`), mayLoseDigits(`[${digits},${digits},1234567890123456]`)]).toEqual([false, true]);
  });
});
