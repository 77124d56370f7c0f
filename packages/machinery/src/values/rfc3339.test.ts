import { describe, expect, it } from "vitest";

import { formatRfc3339, parseRfc3339 } from "./rfc3339.ts";

const any = { fraction: "any" } as const;

describe("RFC 3339 as Go reads it", () => {
  it("is lenient where Go is", () => {
    expect(parseRfc3339("1970-01-01T0:00:01Z", any)).toEqual({ seconds: 1, nanos: 0 });
    expect(parseRfc3339("1970-01-01T00:00:01,5Z", any)).toEqual({ seconds: 1, nanos: 500_000_000 });
    expect(parseRfc3339("1970-01-02T00:00:00+24:00", any)).toEqual({ seconds: 0, nanos: 0 });
    expect(parseRfc3339("1970-01-01T00:00:00.1234567899Z", any)).toEqual({ seconds: 0, nanos: 123_456_789 });
    expect(parseRfc3339("1970-01-01T00:00:00.-00000Z", { fraction: "six" })).toEqual({ seconds: 0, nanos: 0 });
  });

  it("is strict where Go is", () => {
    for (const text of ["1970-01-01t00:00:00Z", "1970-01-01T00:00:00z", "1970-01-01T00:00:60Z", "1970-01-01T00:00:00", "1970-1-01T00:00:00Z", "1970-01-01T00:00:00+0100"]) {
      expect(() => parseRfc3339(text, any)).toThrow(`parsing time "${text}"`);
    }
  });

  it("names the minute of an offset before the hour, and both before its sign", () => {
    expect(() => parseRfc3339("1970-01-01T00:00:00*25:61", any)).toThrow("time zone offset minute out of range");
    expect(() => parseRfc3339("1970-01-01T00:00:00*25:00", any)).toThrow("time zone offset hour out of range");
  });

  it("shows bytes outside ASCII by number", () => {
    expect(() => parseRfc3339("é", any)).toThrow(String.raw`parsing time "\xc3\xa9" as`);
  });

  it("writes years before 0 as Go does, which an offset can lead to", () => {
    expect(formatRfc3339(parseRfc3339("0000-01-01T00:00:00+00:01", any), 0)).toBe("-0001-12-31T23:59:00Z");
  });
});
