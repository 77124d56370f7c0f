import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatRfc3339, parseRfc3339, plainSeconds } from "./rfc3339.ts";

const any = { fraction: "any" } as const;

describe("parseRfc3339", () => {
  it("is lenient where Go is", () => {
    expect(parseRfc3339("1970-01-01T0:00:01Z", any)).toEqual({ seconds: 1, nanos: 0 });
    expect(parseRfc3339("1970-01-01T00:00:01,5Z", any)).toEqual({ seconds: 1, nanos: 500_000_000 });
    expect(parseRfc3339("1970-01-02T00:00:00+24:00", any)).toEqual({ seconds: 0, nanos: 0 });
    expect(parseRfc3339("1970-01-01T00:00:00.1234567899Z", any)).toEqual({ seconds: 0, nanos: 123_456_789 });
    expect(parseRfc3339("1970-01-01T00:00:00.-00000Z", { fraction: "six" })).toEqual({ seconds: 0, nanos: 0 });
  });

  it("is strict where Go is", () => {
    for (const text of [
      "1970-01-01t00:00:00Z",
      "1970-01-01T00:00:00z",
      "1970-01-01T00:00:60Z",
      "1970-01-01T00:00:00",
      "1970-1-01T00:00:00Z",
      "1970-01-01T00:00:00+0100",
    ]) {
      expect(() => parseRfc3339(text, any)).toThrow(`parsing time "${text}"`);
    }
  });

  it("names the minute of an offset before the hour, and both before its sign", () => {
    expect(() => parseRfc3339("1970-01-01T00:00:00*25:61", any)).toThrow("time zone offset minute out of range");
    expect(() => parseRfc3339("1970-01-01T00:00:00*25:00", any)).toThrow("time zone offset hour out of range");
  });

  it("shows non-ASCII bytes by number", () => {
    expect(() => parseRfc3339("é", any)).toThrow(String.raw`parsing time "\xc3\xa9" as`);
  });

  it("formats years before 0 as Go does, which an offset can lead to", () => {
    expect(formatRfc3339(parseRfc3339("0000-01-01T00:00:00+00:01", any), 0)).toBe("-0001-12-31T23:59:00Z");
  });
});

describe("plainSeconds", () => {
  const digit = fc.integer({ min: 0, max: 9 });
  const text = fc
    .array(digit, { minLength: 14, maxLength: 14 })
    .map(
      (d) =>
        `${d.slice(0, 4).join("")}-${d.slice(4, 6).join("")}-${d.slice(6, 8).join("")}T${d.slice(8, 10).join("")}:${d.slice(10, 12).join("")}:${d.slice(12).join("")}Z`,
    );
  const likely = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }).map((seconds) => formatRfc3339({ seconds, nanos: 0 }, 0));

  it("agrees with parseRfc3339 on the form that the API writes, and is undefined where that fails", () => {
    fc.assert(
      fc.property(fc.oneof(text, likely), (time) => {
        let long: number | undefined;
        try {
          long = parseRfc3339(time.replace("Z", "+00:00"), { fraction: "any" }).seconds;
        } catch {
          long = undefined;
        }
        expect(plainSeconds(time)).toBe(long);
      }),
    );
  });

  it("is undefined for any other text", () => {
    for (const time of [
      "",
      "2026-11-15T13:35:46.1Z",
      "2026-11-15T3:35:46Z",
      "2026-11-15t13:35:46Z",
      "\u00e9026-11-15T13:35:46Z",
      "2026-11-15 13:35:46Z",
      "2026-11-15T13:35:4\u0666Z",
      "2026-02-29T13:35:46Z",
      "2026-13-01T00:00:00Z",
      "2026-01-01T24:00:00Z",
    ])
      expect(plainSeconds(time)).toBeUndefined();
  });
});
