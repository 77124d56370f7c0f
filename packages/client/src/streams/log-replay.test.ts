import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogReplay, parseTimestampedLine } from "./log-replay.ts";

const secondOf = (line: string): number | undefined => parseTimestampedLine(line).secondMs;

describe("parseTimestampedLine", () => {
  it("splits off the timestamp with any offset, and keeps the rest unchanged", () => {
    expect(parseTimestampedLine("2026-11-15T13:35:46.123456789Z  two spaces")).toEqual({
      text: " two spaces",
      secondMs: 1_794_749_746_000,
    });
    expect(parseTimestampedLine("2026-11-15T15:35:46.9+02:00 x")).toEqual({ text: "x", secondMs: 1_794_749_746_000 });
    expect(parseTimestampedLine("2026-11-15T13:35:46Z ")).toEqual({ text: "", secondMs: 1_794_749_746_000 });
    expect(parseTimestampedLine("2026-11-15T13:35:46Z")).toEqual({ text: "", secondMs: 1_794_749_746_000 });
  });

  it("keeps a line without a timestamp", () => {
    expect(parseTimestampedLine("failed to watch the log")).toEqual({ text: "failed to watch the log", secondMs: undefined });
    expect(parseTimestampedLine("")).toEqual({ text: "", secondMs: undefined });
  });
});

describe("LogReplay", () => {
  it("accepts every line once, wherever and however often the connection breaks", () => {
    // Few seconds and few texts, so that lines with the same timestamp and text are common; out of order within a second.
    const entry = fc.record({
      second: fc.integer({ min: 0, max: 3 }),
      nanos: fc.constantFrom("000000001", "000000002"),
      text: fc.constantFrom("a", "b"),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 12 }), fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 5 }), (entries, breaks) => {
        const log = entries
          .toSorted((a, b) => a.second - b.second)
          .map(({ second, nanos, text }) => `2026-01-01T00:00:0${second}.${nanos}Z ${text}`);
        const replay = new LogReplay();
        const seen: string[] = [];
        for (const count of [...breaks, log.length]) {
          const since = replay.sinceTime;
          const answer = since === undefined ? log : log.filter((line) => (secondOf(line) ?? 0) >= (secondOf(since) ?? 0));
          replay.resume();
          for (const line of answer.slice(0, count)) if (replay.accept(line, secondOf(line))) seen.push(line);
        }
        expect(seen).toEqual(log);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / 10) },
    );
  });

  it("drops lines from before sinceTime, if the server sends them anyway", () => {
    const replay = new LogReplay();
    const line = "2026-01-01T00:00:05Z x";
    replay.accept(line, secondOf(line));
    replay.resume();
    expect(replay.sinceTime).toBe("2026-01-01T00:00:05Z");
    expect(replay.accept("2026-01-01T00:00:04Z old", secondOf("2026-01-01T00:00:04Z old"))).toBe(false);
  });

  it("accepts lines without a timestamp", () => {
    expect(new LogReplay().accept("no time", undefined)).toBe(true);
  });
});
