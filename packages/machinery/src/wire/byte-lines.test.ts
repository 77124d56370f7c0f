import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteLineSplitter } from "./byte-lines.ts";
import { LineError, LineSplitter } from "./lines.ts";

const text = (line: Uint8Array): string => new TextDecoder().decode(line);

describe("ByteLineSplitter", () => {
  it("finds the lines that LineSplitter finds, however the stream is cut", () => {
    const stream = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "é", "😀"), maxLength: 20 });
    fc.assert(
      fc.property(stream, fc.array(fc.nat(40)), (whole, cuts) => {
        const bytes = new TextEncoder().encode(whole);
        const places = [...cuts.filter((cut) => cut < bytes.length), bytes.length].toSorted((a, b) => a - b);
        const splitter = new ByteLineSplitter();
        const found: string[] = [];
        let from = 0;
        for (const to of places) {
          // The chunk is filled again, as sockets do.
          const chunk = bytes.slice(from, to);
          for (const line of splitter.push(chunk)) found.push(text(line));
          chunk.fill(0x78);
          from = to;
        }
        const rest = splitter.end();
        const reference = new LineSplitter();
        expect([found, rest === undefined ? undefined : text(rest)]).toEqual([reference.push(whole), reference.end()]);
      }),
    );
  });
  it("keeps the lines of one push separate, also joined ones", () => {
    const splitter = new ByteLineSplitter();
    splitter.push("ab");
    const first = splitter.push("c\nd\nefg");
    expect(first.map(text)).toEqual(["abc", "d"]);
    const second = splitter.push("h\nijkl");
    expect(second.map(text)).toEqual(["efgh"]);
    expect(splitter.push("\n").map(text)).toEqual(["ijkl"]);
  });
  it("joins lines in arrays of the chunks' class", () => {
    const splitter = new ByteLineSplitter();
    splitter.push(Buffer.from("ab"));
    const [line] = splitter.push(Buffer.from("c\n"));
    expect([Buffer.isBuffer(line), String(line)]).toEqual([true, "abc"]);
  });
  it("accepts text too", () => {
    expect(new ByteLineSplitter().push("é\nb").map(text)).toEqual(["é"]);
  });
  it("rejects a line that is too long, finished or not", () => {
    for (const chunk of ["abcde\n", "abcde"]) expect(() => new ByteLineSplitter({ maxLineLength: 4 }).push(chunk)).toThrow(LineError);
    expect(new ByteLineSplitter({ maxLineLength: 4 }).push("abcd\nabcd\n")).toHaveLength(2);
  });
});
