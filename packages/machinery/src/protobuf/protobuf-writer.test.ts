import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtobufReader } from "./protobuf-reader.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";

const written = (write: (writer: ProtobufWriter) => void): number[] => {
  const writer = new ProtobufWriter();
  write(writer);
  return [...writer.finish()];
};

describe("ProtobufWriter", () => {
  it("writes scalars as every library does", () => {
    expect(written((writer) => writer.string(1, "ab"))).toEqual([0x0a, 2, 0x61, 0x62]);
    expect(written((writer) => writer.bytes(1, Uint8Array.of(0, 255)))).toEqual([0x0a, 2, 0, 255]);
    expect(written((writer) => writer.bool(16, true))).toEqual([0x80, 0x01, 1]);
    expect(written((writer) => writer.int64(2, 300))).toEqual([0x10, 0xac, 0x02]);
    expect(written((writer) => writer.int64(2, -1))).toEqual([0x10, ...Array.from({ length: 9 }, () => 0xff), 1]);
    expect(written((writer) => writer.double(1, 1.5))).toEqual([0x09, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f]);
  });

  it("writes zero values too", () => {
    expect(
      written((writer) => {
        writer.string(1, "");
        writer.bool(2, false);
        writer.int64(3, 0);
        writer.message(4, () => undefined);
      }),
    ).toEqual([0x0a, 0, 0x10, 0, 0x18, 0, 0x22, 0]);
  });

  it("round-trips texts and messages of any length", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 150 }), fc.string({ maxLength: 60 }));
    fc.assert(
      fc.property(fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 3 }), (messages) => {
        const writer = new ProtobufWriter();
        for (const texts of messages) writer.message(7, (inner) => texts.forEach((each, at) => inner.string(at + 1, each)));
        const reader = new ProtobufReader(writer.finish());
        const read: string[][] = [];
        while (reader.next("M")) {
          expect(reader.field).toBe(7);
          const outer = reader.enter();
          const texts: string[] = [];
          while (reader.next("T")) texts.push(reader.string());
          reader.leave(outer);
          read.push(texts);
        }
        expect(read).toEqual(messages);
      }),
    );
  });
});
