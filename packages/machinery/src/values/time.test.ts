import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  canonicalMicroTime,
  canonicalTime,
  compareTimes,
  formatMicroTime,
  formatTime,
  formatTimeMillis,
  microsToMillis,
  millisToMicros,
  parseMicroTime,
  parseTime,
} from "./time.ts";

const minMs = -62_167_219_200_000; // 0000-01-01
const maxMs = 253_402_300_799_999; // 9999-12-31

describe("formatTime and parseTime", () => {
  it("write whole seconds in UTC", () => {
    expect(formatTime(0)).toBe("1970-01-01T00:00:00Z");
    expect(formatTime(1_794_749_746_999)).toBe("2026-11-15T13:35:46Z");
    expect(formatTime(-1)).toBe("1969-12-31T23:59:59Z");
    expect([minMs, maxMs].map(formatTime)).toEqual(["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]);
  });

  it("write milliseconds for log lines", () => {
    expect(formatTimeMillis(1_794_749_746_007)).toBe("2026-11-15T13:35:46.007Z");
    expect(formatTimeMillis(0.9)).toBe("1970-01-01T00:00:00.000Z");
  });

  it("parse any offset and fraction", () => {
    expect(parseTime("2026-11-15T15:05:46.5+01:30")).toBe(1_794_749_746_500);
    expect(parseTime("1969-12-31T23:59:59.9999Z")).toBe(-1);
    expect(parseTime("2000-02-29T00:00:00Z")).toBe(951_782_400_000);
  });

  it("reject with the API server's message", () => {
    expect(() => parseTime("now")).toThrow('parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"');
    expect(() => parseTime("2026-02-29T00:00:00Z")).toThrow('parsing time "2026-02-29T00:00:00Z": day out of range');
    expect(() => parseTime("2026-01-01T00:00:00Z!")).toThrow('parsing time "2026-01-01T00:00:00Z!": extra text: "!"');
  });

  it("refuse to format what has no date", () => {
    for (const ms of [Number.NaN, Infinity, minMs - 1, maxMs + 1]) expect(() => formatTime(ms)).toThrow(RangeError);
  });

  it("agree with the host's calendar", () => {
    fc.assert(
      fc.property(fc.integer({ min: minMs, max: maxMs }), (ms) => {
        const text = new Date(ms).toISOString();
        expect(formatTimeMillis(ms)).toBe(text);
        expect(parseTime(text)).toBe(ms);
      }),
    );
  });
});

describe("MicroTime", () => {
  it("has exactly six decimals", () => {
    expect(formatMicroTime(1_794_749_746_000_001n)).toBe("2026-11-15T13:35:46.000001Z");
    expect(formatMicroTime(-1n)).toBe("1969-12-31T23:59:59.999999Z");
    expect(() => parseMicroTime("2026-11-15T13:35:46Z")).toThrow('cannot parse "Z" as ".000000"');
    expect(() => parseMicroTime("2026-11-15T13:35:46.0000001Z")).toThrow('cannot parse "1Z" as "Z07:00"');
  });

  it("loses nothing up to the year 9999", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: BigInt(minMs) * 1000n, max: BigInt(maxMs) * 1000n }),
        (micros) => parseMicroTime(formatMicroTime(micros)) === micros,
      ),
    );
  });

  it("converts to milliseconds and back, rounding down", () => {
    expect([millisToMicros(1.5), millisToMicros(-0.5), millisToMicros(1_794_749_746_123)]).toEqual([1500n, -500n, 1_794_749_746_123_000n]);
    expect([microsToMillis(1999n), microsToMillis(-1n)]).toEqual([1, -1]);
  });
});

describe("canonicalTime and compareTimes", () => {
  it("turn the zero time into null and everything else into UTC", () => {
    expect([canonicalTime(null), canonicalTime("0001-01-01T00:00:00Z"), canonicalTime("0001-01-01T01:00:00+01:00")]).toEqual([
      null,
      null,
      null,
    ]);
    expect(canonicalTime("2026-11-15T13:35:46.9+01:00")).toBe("2026-11-15T12:35:46Z");
    expect(canonicalMicroTime("2026-11-15T13:35:46.000001-01:00")).toBe("2026-11-15T14:35:46.000001Z");
    expect(canonicalMicroTime("0001-01-01T00:00:00.000000Z")).toBeNull();
  });

  it("compare moments to the nanosecond, whatever the offset", () => {
    expect(compareTimes("2026-11-15T13:00:00Z", "2026-11-15T14:00:00+01:00")).toBe(0);
    expect(compareTimes("2026-11-15T13:00:00.000000001Z", "2026-11-15T13:00:00Z")).toBe(1);
    expect(compareTimes("2026-11-15T13:00:00Z", "2026-11-15T13:00:00.5Z")).toBe(-1);
  });
});
