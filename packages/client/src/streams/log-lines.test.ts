import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LogLines } from "./log-lines.ts";

function split(chunks: readonly (string | Uint8Array)[], limit = 1024): string[] {
  const lines = new LogLines(limit);
  const whole = chunks.flatMap((chunk) => lines.push(chunk));
  const rest = lines.end();
  return rest === undefined ? whole : [...whole, rest];
}

describe("LogLines", () => {
  it("yields the same lines for any chunk boundaries, also within a character", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "ü", "😀", "\n", "\r", ""), maxLength: 20 });
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 6 }), (log, cuts) => {
        const bytes = new TextEncoder().encode(log);
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        const lines = log.split("\n");
        expect(split(chunks)).toEqual(lines.at(-1) === "" ? lines.slice(0, -1) : lines);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / 4) },
    );
  });

  it("keeps empty lines, carriage returns and a byte order mark", () => {
    expect(split(["a\n\n\r\n", "\uFEFFb"])).toEqual(["a", "", "\r", "\uFEFFb"]);
  });

  it("replaces invalid UTF-8 and continues", () => {
    expect(split([Uint8Array.of(0x61, 0xff, 10, 0x62, 10)])).toEqual(["a\uFFFD", "b"]);
  });

  it("rejects a line beyond the limit, also one in chunks, and accepts one at the limit", () => {
    expect(split(["1234\n1234"], 4)).toEqual(["1234", "1234"]);
    expect(() => split(["123", "45"], 4)).toThrow("longer than 4 bytes");
  });
});
