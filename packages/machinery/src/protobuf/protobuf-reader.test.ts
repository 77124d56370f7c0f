import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProtobufError } from "./protobuf-error.ts";
import { ProtobufReader } from "./protobuf-reader.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";

/** A reader that has come to the first field of these bytes. */
function at(...bytes: number[]): ProtobufReader {
  const reader = new ProtobufReader(Uint8Array.from(bytes));
  reader.next("M");
  return reader;
}

/** Passes over everything, going into nothing. */
function skipAll(bytes: Uint8Array): void {
  const reader = new ProtobufReader(bytes);
  while (reader.next("M")) reader.skip();
}

describe("ProtobufReader", () => {
  it("reads integers, also those beyond number precision", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const writer = new ProtobufWriter();
        writer.int64(5, value);
        const reader = at(...writer.finish());
        const read = reader.int64();
        expect(BigInt(read)).toBe(value);
        expect(typeof read).toBe(Number.isSafeInteger(Number(value)) ? "number" : "bigint");
      }),
    );
  });

  it("reads doubles bit by bit", () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const writer = new ProtobufWriter();
        writer.double(1, value);
        expect(at(...writer.finish()).double()).toBe(value);
      }),
    );
  });

  it("truncates to 32 bits, and reads any bit as true", () => {
    expect(at(0x08, 0xff, 0xff, 0xff, 0xff, 0x1f).int32()).toBe(-1);
    expect(at(0x08, 0x80, 0x80, 0x80, 0x80, 0x10).int32()).toBe(0);
    expect(at(0x08, 0x80, 0x80, 0x80, 0x80, 0x10).bool()).toBe(true);
    expect(at(0x08, 0).bool()).toBe(false);
  });

  it("replaces invalid UTF-8 by U+FFFD, and keeps a byte order mark", () => {
    expect(at(0x0a, 2, 0x61, 0xff).string()).toBe("a\ufffd");
    expect(at(0x0a, 4, 0xef, 0xbb, 0xbf, 0x61).string()).toBe("\ufeffa");
  });

  it("skips fields of every wire type, groups included", () => {
    const reader = at(0x08, 1, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a, 1, 9, 0x25, 0, 0, 0, 0, 0x2b, 0x08, 1, 0x2b, 0x2c, 0x2c, 0x30, 7);
    for (let field = 1; field <= 5; field++) {
      expect(reader.field).toBe(field);
      reader.skip();
      expect(reader.next("M")).toBe(true);
    }
    expect([reader.field, reader.int32(), reader.next("M")]).toEqual([6, 7, false]);
  });

  it("reports errors in Go's words", () => {
    expect(() => at(0x0a, 5, 1).bytes()).toThrow("unexpected EOF");
    expect(() => at(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1).bytes()).toThrow(
      "proto: negative length found during unmarshaling",
    );
    expect(() => at(0x08, ...Array.from({ length: 10 }, () => 0x80), 1).int64()).toThrow("proto: integer overflow");
    expect(() => at(0x0c)).toThrow("proto: M: wiretype end group for non-group");
    expect(() => at(0x02)).toThrow("proto: M: illegal tag 0 (wire type 2)");
    expect(() => at(0x0e).skip()).toThrow("proto: illegal wireType 6");
    expect(() => at(0x08, 1).expect(2, "Name")).toThrow("proto: wrong wireType = 0 for field Name");
  });

  it("never reads beyond its message", () => {
    const reader = at(0x0a, 2, 0x0a, 5, 0x61, 0x61, 0x61, 0x61, 0x61);
    reader.enter();
    expect(reader.next("Inner")).toBe(true);
    expect(() => reader.string()).toThrow("unexpected EOF");
  });

  it("nests a thousand messages and no more", () => {
    const deep =
      (levels: number): (() => void) =>
      () => {
        let bytes = new Uint8Array();
        for (let level = 0; level < levels; level++) {
          const writer = new ProtobufWriter();
          writer.bytes(1, bytes);
          bytes = new Uint8Array(writer.finish());
        }
        const reader = new ProtobufReader(bytes);
        while (reader.next("M")) reader.enter();
      };
    expect(deep(1000)).not.toThrow();
    expect(deep(1001)).toThrow("messages are nested more than 1000 levels deep");
  });

  it("either reads all bytes or rejects them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          skipAll(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(ProtobufError);
        }
      }),
    );
  });
});
