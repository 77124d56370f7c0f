import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineError } from "../wire/lines.ts";
import { MessageFrameSplitter } from "./message-frames.ts";

const framed = (content: Uint8Array): Uint8Array => {
  const frame = new Uint8Array(4 + content.length);
  new DataView(frame.buffer).setUint32(0, content.length);
  frame.set(content, 4);
  return frame;
};
const joined = (parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Cuts a stream into chunks at the given places, some of them empty. */
const chunksOf = (stream: Uint8Array, places: readonly number[]): Uint8Array[] => {
  const cuts = [0, ...places.map((place) => place % (stream.length + 1)).toSorted((a, b) => a - b), stream.length];
  return cuts.slice(1).map((to, index) => stream.subarray(cuts[index], to));
};

/** Pushes chunks of a buffer that is overwritten afterwards, as some producers do. */
const split = (splitter: MessageFrameSplitter, chunks: readonly Uint8Array[]): number[][] =>
  chunks.flatMap((chunk) => {
    const reused = new Uint8Array(chunk);
    const frames = splitter.push(reused).map((frame) => [...frame]);
    reused.fill(0xff);
    return frames;
  });

describe("MessageFrameSplitter", () => {
  it("returns the same frames and the same rest however the stream is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.uint8Array({ minLength: 1000, maxLength: 3000 })), { maxLength: 6 }),
        fc.uint8Array({ maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (contents, rest, places) => {
          const stream = joined([...contents.map(framed), rest]);
          const splitter = new MessageFrameSplitter();
          expect(split(splitter, chunksOf(stream, places))).toEqual(contents.map((content) => [...content]));
          expect([...(splitter.end() ?? [])]).toEqual([...rest]);
          expect(splitter.end()).toBeUndefined();
        },
      ),
    );
  });

  it("returns the unfinished frame with its length at the end", () => {
    const splitter = new MessageFrameSplitter();
    expect(splitter.push(Uint8Array.of(0, 0, 0, 3, 7))).toEqual([]);
    expect(splitter.push(Uint8Array.of(8))).toEqual([]);
    expect([...(splitter.end() ?? [])]).toEqual([0, 0, 0, 3, 7, 8]);
    expect(splitter.push(framed(Uint8Array.of(9)))).toEqual([Uint8Array.of(9)]);
  });

  it("returns frames that stay valid until the next push, also when one was kept from the last chunk", () => {
    const splitter = new MessageFrameSplitter();
    splitter.push(Uint8Array.of(0, 0, 0, 2, 1));
    const frames = splitter.push(joined([Uint8Array.of(2), framed(Uint8Array.of(3)), Uint8Array.of(0, 0, 0, 2, 9)]));
    expect(frames.map((frame) => [...frame])).toEqual([[1, 2], [3]]);
  });

  it("refuses a frame that is longer than allowed as soon as its length is known", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), fc.array(fc.nat(), { maxLength: 4 }), (length, places) => {
        const head = new Uint8Array(4);
        new DataView(head.buffer).setUint32(0, length);
        const splitter = new MessageFrameSplitter({ maxLineLength: 100 });
        const push = (): number[][] => split(splitter, chunksOf(head, places));
        if (length > 100) expect(push).toThrow(new LineError("too long", "an event of the stream is longer than 100 bytes"));
        else expect(push()).toEqual(length === 0 ? [[]] : []);
      }),
    );
    const largest = new Uint8Array(100);
    expect(new MessageFrameSplitter({ maxLineLength: 100 }).push(framed(largest))).toEqual([largest]);
  });

  it("keeps chunks of Node as Buffers, which are decoded faster", () => {
    const splitter = new MessageFrameSplitter();
    splitter.push(Buffer.from([0, 0]));
    expect(splitter.push(Buffer.from([0, 1, 5])).map((frame) => Buffer.isBuffer(frame))).toEqual([true]);
  });

  it("reads a chunk of text as UTF-8", () => {
    expect(new MessageFrameSplitter().push("\0\0\0\u0002é")).toEqual([new TextEncoder().encode("é")]);
  });
});
