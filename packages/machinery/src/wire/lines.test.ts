import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineError, LineSplitter, splitLines } from "./lines.ts";

const linesOf = (chunks: readonly (string | Uint8Array)[]): string[] => {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) => splitter.push(chunk));
  const rest = splitter.end();
  return rest === undefined ? lines : [...lines, rest];
};

describe("LineSplitter", () => {
  const stream = '{"type":"ADDED","object":{"x":"é𝒳"}}\n\n{"type":"DELETED"}\r\n{"last":"…"}';
  const expected = ['{"type":"ADDED","object":{"x":"é𝒳"}}', '{"type":"DELETED"}', '{"last":"…"}'];

  it("returns the same lines wherever one cut is made, in text and bytes", () => {
    const bytes = new TextEncoder().encode(stream);
    for (let at = 0; at <= bytes.length; at++) expect(linesOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
    for (let at = 0; at <= stream.length; at++) expect(linesOf([stream.slice(0, at), stream.slice(at)])).toEqual(expected);
  });
  it("returns the same lines byte by byte", () => {
    expect(linesOf([...new TextEncoder().encode(stream)].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
  });
  it("returns a line with the chunk that completes it", () => {
    const splitter = new LineSplitter();
    expect(splitter.push("a\nb")).toEqual(["a"]);
    expect(splitter.push("c")).toEqual([]);
    expect(splitter.push("\n")).toEqual(["bc"]);
    expect(splitter.end()).toBeUndefined();
  });
  it("rejects a line that is too long before its end", () => {
    const splitter = new LineSplitter({ maxLineLength: 5 });
    expect(splitter.push("12345\n")).toEqual(["12345"]);
    splitter.push("123");
    expect(() => splitter.push("456")).toThrow(new LineError("too long", "a line of the stream is longer than 5 characters"));
  });
  it("rejects bytes that are not UTF-8, also at the end and before text", () => {
    expect(() => new LineSplitter().push(Uint8Array.of(0xff))).toThrow(LineError);
    for (const next of [(splitter: LineSplitter): unknown => splitter.end(), (splitter: LineSplitter): unknown => splitter.push("a")]) {
      const splitter = new LineSplitter();
      splitter.push(Uint8Array.of(0xc3));
      expect(() => next(splitter)).toThrow(LineError);
    }
  });
  it("handles a megabyte in single characters without quadratic time", () => {
    const splitter = new LineSplitter();
    for (let index = 0; index < 1_000_000; index++) splitter.push("x");
    expect(splitter.push("\n")[0]).toHaveLength(1_000_000);
  });
  it("is independent of how the stream is cut", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "𝒳", " ", "\r", "{", '"') });
    const pieces = fc.tuple(fc.array(line), fc.array(fc.nat(20)), fc.boolean());
    fc.assert(
      fc.property(pieces, ([lines, sizes, ended]) => {
        const bytes = new TextEncoder().encode(lines.join("\n") + (ended ? "\n" : ""));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of sizes) chunks.push(bytes.subarray(at, (at += size)));
        chunks.push(bytes.subarray(Math.min(at, bytes.length)));
        expect(linesOf(chunks)).toEqual(lines.map((text) => text.replace(/\r$/, "")).filter((text) => text !== ""));
      }),
    );
  });
});

describe("splitLines", () => {
  it("yields lines as chunks arrive and ends the source when the reader leaves", async () => {
    let ended = false;
    async function* source(): AsyncGenerator<string> {
      try {
        yield "a\nb";
        yield "\nc\n";
      } finally {
        ended = true;
      }
    }
    const lines: string[] = [];
    for await (const line of splitLines(source())) lines.push(line);
    expect(lines).toEqual(["a", "b", "c"]);
    ended = false;
    for await (const line of splitLines(source())) if (line === "a") break;
    expect(ended).toBe(true);
  });
});
