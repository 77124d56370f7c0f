import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHttpDate } from "./http-date.ts";

describe("parseHttpDate", () => {
  it("parses what servers send", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }), (date) => {
        expect(parseHttpDate(date.toUTCString())).toBe(Math.floor(date.getTime() / 1000) * 1000);
      }),
    );
  });

  it.each([
    "",
    "5",
    "Wed, 21 Oct 2026",
    "Wed, 21 Okt 2026 07:28:00 GMT",
    "Wed, 31 Feb 2026 07:28:00 GMT",
    "Wed, 21 Oct 2026 25:28:00 GMT",
    "2026-10-21T07:28:00Z",
    "Wed, 21 Oct 2026 07:28:00 CET",
  ])("rejects %j", (text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});
