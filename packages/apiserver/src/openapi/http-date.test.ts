import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatHttpDate, parseHttpDate, yearLater } from "./http-date.ts";

describe("dates in headers", () => {
  it("are those of the language's own clock, and are read back", () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000_000_000, max: 100_000_000_000 }), (seconds) => {
        expect(formatHttpDate(seconds * 1000 + 999)).toBe(new Date(seconds * 1000).toUTCString());
        expect(parseHttpDate(formatHttpDate(seconds * 1000))).toBe(seconds * 1000);
      }),
    );
  });

  it("are not read when they are something else", () => {
    for (const text of ["", "yesterday", "2026-11-15T20:16:56Z", "Sun, 31 Feb 2026 00:00:00 GMT", "Sun, 15 Nox 2026 00:00:00 GMT"])
      expect(parseHttpDate(text)).toBeUndefined();
  });

  it("a year later are the same day, or the first of March", () => {
    expect(formatHttpDate(yearLater(Date.UTC(2026, 10, 15, 20, 16, 56)), "UTC")).toBe("Mon, 15 Nov 2027 20:16:56 UTC");
    expect(formatHttpDate(yearLater(Date.UTC(2028, 1, 29)))).toBe("Thu, 01 Mar 2029 00:00:00 GMT");
  });
});
