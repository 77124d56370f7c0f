import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { canonicalMicroTime, canonicalTime, compareTimes, parseMicroTime, parseTime } from "@drover/machinery";

import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

const dates = [
  "1970-01-01",
  "2026-11-15",
  "2000-02-29",
  "1900-02-29",
  "2100-02-28",
  "2024-02-30",
  "0000-01-01",
  "0001-01-01",
  "9999-12-31",
  "2026-13-01",
  "2026-00-10",
  "2026-01-00",
  "2026-1-01",
  "20260-01-01",
  "-026-01-01",
  "+026-01-01",
  "2026/01/01",
  "26-01-01",
  "2026-04-31",
  "2026-12-32",
];
const clocks = [
  "T00:00:00",
  "T23:59:59",
  "T24:00:00",
  "T12:60:00",
  "T12:00:60",
  "T1:02:03",
  "t01:02:03",
  " 01:02:03",
  "T01:02",
  "T01:2:03",
  "T010203",
  "T01:02:03.5",
  "T01:02:03,5",
  "T01:02:03.123456",
  "T01:02:03.1234567891",
  "T01:02:03.999999",
  "T01:02:03.",
  "T01:02:03.x",
  "T01:02:03.+12345",
  "T01:02:03.-12345",
  "T01:02:03.-00000",
  "T01:02:03.1234567",
];
const zones = [
  "Z",
  "z",
  "",
  "+00:00",
  "-00:00",
  "+01:30",
  "-12:45",
  "+24:00",
  "+24:60",
  "+25:00",
  "+00:61",
  "+25:61",
  "+1:00",
  "+0100",
  "+01",
  "*01:00",
  "*25:00",
  "Z ",
  "+01:00x",
  "+xx:00",
  "+10:xx",
  "+99:xx",
];
const odd: readonly (string | null)[] = [
  null,
  "",
  "2026",
  "2026-11-15",
  "now",
  "2026-11-15T13:35:46Zé",
  "日本語",
  "é026-01-01T00:00:00Z",
  "2026-é1-01T00:00:00Z",
  "2026-11-15T13:35:46\u0007Z",
  '2026-11-15T13:35:46"Z',
  "\\",
  "\u007f",
  "😀",
  "20é6-01-01T00:00:00Z",
];
const table: readonly (string | null)[] = [
  ...odd,
  ...dates.flatMap((date) => ["T13:35:46Z", "T13:35:46.000001Z", "T00:00:00.000000+01:00"].map((rest) => date + rest)),
  ...clocks.flatMap((clock) => zones.map((zone) => `2026-11-15${clock}${zone}`)),
];

const attempt = (work: () => unknown): Answer => {
  try {
    return { output: work() };
  } catch (error) {
    return { error: (error as Error).message };
  }
};
const zeroMs = "-62135596800000";
const time = (text: string | null): Answer =>
  attempt(() => ({ json: canonicalTime(text), ms: text === null ? zeroMs : String(parseTime(text)) }));
const microTime = (text: string | null): Answer =>
  attempt(() => ({ json: canonicalMicroTime(text), micros: text === null ? `${zeroMs}000` : String(parseMicroTime(text)) }));

const two = (max: number): fc.Arbitrary<string> => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, "0"));
const timestamp = fc
  .tuple(
    fc.integer({ min: 0, max: 9999 }),
    two(13),
    two(32),
    two(24),
    two(60),
    two(60),
    fc.oneof(fc.constant(""), fc.stringMatching(/^[.,][0-9]{6}$/), fc.stringMatching(/^[.,][0-9]{0,12}$/)),
    fc.oneof(
      fc.constant("Z"),
      fc.tuple(fc.constantFrom("+", "-"), two(25), two(61)).map(([sign, h, m]) => `${sign}${h}:${m}`),
    ),
  )
  .map(
    ([year, month, day, h, m, s, fraction, zone]) => `${String(year).padStart(4, "0")}-${month}-${day}T${h}:${m}:${s}${fraction}${zone}`,
  );
const damaged = fc
  .tuple(timestamp, fc.nat(30), fc.constantFrom("", "0", "9", "-", ":", "T", "Z", ".", "+", "é", " "))
  .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at + 1));

describe("times, compared with Kubernetes' own", () => {
  it("reads a table of hard times the same way, or refuses them with the same words", () => {
    for (const [index, answer] of recordedAnswers("time", table).entries())
      expect({ text: table[index], ...time(table[index] ?? null) }).toEqual({ text: table[index], ...answer });
  });

  it("reads a table of hard micro times the same way, or refuses them with the same words", () => {
    for (const [index, answer] of recordedAnswers("micro-time", table).entries())
      expect({ text: table[index], ...microTime(table[index] ?? null) }).toEqual({ text: table[index], ...answer });
  });

  it("agrees on random texts", (context) => {
    context.skip(oracleMissing !== undefined, oracleMissing);
    const { numRuns = 200, seed = 20 } = fc.readConfigureGlobal();
    const texts = fc.sample(fc.oneof(timestamp, damaged), { numRuns: Math.min(numRuns * 20, 200_000), seed });
    for (const [index, answer] of askOracle("time", texts).entries())
      expect({ text: texts[index], ...time(texts[index] ?? null) }).toEqual({ text: texts[index], ...answer });
    for (const [index, answer] of askOracle("micro-time", texts).entries())
      expect({ text: texts[index], ...microTime(texts[index] ?? null) }).toEqual({ text: texts[index], ...answer });
  });

  it("agrees on which of two times is first", (context) => {
    context.skip(oracleMissing !== undefined, oracleMissing);
    const { numRuns = 200, seed = 20 } = fc.readConfigureGlobal();
    const close = fc
      .tuple(fc.integer({ min: 0, max: 2 }), fc.stringMatching(/^(\.[019]{1,10})?$/), fc.constantFrom("00:00", "00:01"))
      .map(([s, f, z]) => `2026-11-15T13:0${s}:00${f}+${z}`);
    const questions = fc.sample(fc.tuple(close, close), { numRuns: Math.min(numRuns * 5, 50_000), seed });
    for (const [index, { output }] of askOracle("time-order", questions).entries()) {
      const [a = "", b = ""] = questions[index] ?? [];
      expect([a, b, compareTimes(a, b)]).toEqual([a, b, output]);
    }
  });
});
