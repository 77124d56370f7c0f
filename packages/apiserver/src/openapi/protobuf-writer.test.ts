import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtobufWriter } from "./protobuf-writer.ts";

const written = (write: (writer: ProtobufWriter) => void): number[] => {
  const writer = new ProtobufWriter();
  write(writer);
  return [...writer.finish()];
};

/** Reads one message: field number and what stands there, texts and messages as bytes. */
function readFields(bytes: Uint8Array): { readonly field: number; readonly bytes: Uint8Array }[] {
  const fields: { readonly field: number; readonly bytes: Uint8Array }[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const field = varint() >> 3;
    const size = varint();
    fields.push({ field, bytes: bytes.subarray(at, at + size) });
    at += size;
  }
  return fields;
}

describe("writing protobuf", () => {
  it("writes scalars as proto3 does, and leaves out zeros", () => {
    expect(written((writer) => writer.string(1, "ab"))).toEqual([0x0a, 2, 0x61, 0x62]);
    expect(written((writer) => writer.bool(16, true))).toEqual([0x80, 0x01, 1]);
    expect(written((writer) => writer.int64(2, 300))).toEqual([0x10, 0xac, 0x02]);
    expect(written((writer) => writer.int64(2, -1))).toEqual([0x10, ...Array.from({ length: 9 }, () => 0xff), 1]);
    expect(written((writer) => writer.double(1, 1.5))).toEqual([0x09, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f]);
    expect(written((writer) => {
      writer.string(1, "");
      writer.bool(2, false);
      writer.int64(3, 0);
      writer.double(4, 0);
    })).toEqual([]);
  });

  it("keeps empty texts of a list, empty messages, and a choice that is false", () => {
    expect(written((writer) => writer.strings(1, ["", "a"]))).toEqual([0x0a, 0, 0x0a, 1, 0x61]);
    expect(written((writer) => writer.message(1, () => undefined))).toEqual([0x0a, 0]);
    expect(written((writer) => writer.boolInChoice(2, false))).toEqual([0x10, 0]);
  });

  it("is read back, however long texts and messages are", () => {
    fc.assert(fc.property(fc.array(fc.array(fc.string({ unit: "grapheme", maxLength: 150 }).filter((text) => text !== ""), { maxLength: 3 }), { maxLength: 3 }), (messages) => {
      const writer = new ProtobufWriter();
      for (const texts of messages) writer.message(7, (inner) => texts.forEach((text, at) => inner.string(at + 1, text)));
      const read = readFields(writer.finish()).map(({ field, bytes }) => {
        expect(field).toBe(7);
        return readFields(bytes).map((entry) => new TextDecoder().decode(entry.bytes));
      });
      expect(read).toEqual(messages.map((texts) => texts.map((text) => text)));
    }));
  });
});
