import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatHttpDate, parseHttpDate, yearLater } from "./http-date.ts";

describe("HTTP dates", () => {
  it("equal toUTCString and parse back", () => {
    fc.assert(
      fc.property(fc.integer({ min: -2_000_000_000, max: 100_000_000_000 }), (seconds) => {
        expect(formatHttpDate(seconds * 1000 + 999)).toBe(new Date(seconds * 1000).toUTCString());
        expect(parseHttpDate(formatHttpDate(seconds * 1000))).toBe(seconds * 1000);
      }),
    );
  });

  it("parseHttpDate refuses other text", () => {
    for (const text of ["", "yesterday", "2026-11-15T20:16:56Z", "Sun, 31 Feb 2026 00:00:00 GMT", "Sun, 15 Nox 2026 00:00:00 GMT"])
      expect(parseHttpDate(text)).toBeUndefined();
  });

  it("yearLater keeps the date, and turns 29 February into 1 March", () => {
    expect(formatHttpDate(yearLater(Date.UTC(2026, 10, 15, 20, 16, 56)), "UTC")).toBe("Mon, 15 Nov 2027 20:16:56 UTC");
    expect(formatHttpDate(yearLater(Date.UTC(2028, 1, 29)))).toBe("Thu, 01 Mar 2029 00:00:00 GMT");
  });
});
