import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { retryAfterMs } from "./retry-after.ts";

const noon = Date.UTC(2026, 9, 21, 12);

describe("C7: retryAfterMs", () => {
  it.each<[string, string | undefined, string | undefined, number | undefined]>([
    ["seconds", "5", undefined, 5000],
    ["a negative number", "-5", undefined, 0],
    ["a date, by our clock", "Wed, 21 Oct 2026 12:00:30 GMT", undefined, 30_000],
    ["a date, by the server's clock, which is an hour ahead", "Wed, 21 Oct 2026 13:00:30 GMT", "Wed, 21 Oct 2026 13:00:00 GMT", 30_000],
    ["a date in the past", "Wed, 21 Oct 2026 11:00:00 GMT", undefined, 0],
    ["a fraction", "1.5", undefined, undefined],
    ["nonsense", "soon", undefined, undefined],
    ["nothing", undefined, undefined, undefined],
  ])("parses %s", (_, value, date, expected) => {
    expect(retryAfterMs(definedOnly({ "retry-after": value, date }), noon)).toBe(expected);
  });
});
