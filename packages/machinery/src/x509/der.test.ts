import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derBits, derInteger, derObjectId, derOctets, derSequence, derSet, derTagged, derTime, derTrue, derUtf8 } from "./der.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

describe("DER encoding", () => {
  it("writes integers without leading zeros, never negative", () => {
    expect(hex(derInteger(Uint8Array.of()))).toBe("020100");
    expect(hex(derInteger(Uint8Array.of(0, 0, 5)))).toBe("020105");
    expect(hex(derInteger(Uint8Array.of(0x80)))).toBe("02020080");
  });

  it("writes object identifiers, strings, bits and booleans", () => {
    expect(hex(derObjectId("1.2.840.10045.4.3.2"))).toBe("06082a8648ce3d040302");
    expect(hex(derObjectId("2.5.29.17"))).toBe("0603551d11");
    expect(hex(derUtf8("ü"))).toBe("0c02c3bc");
    expect(hex(derBits(Uint8Array.of(0x86), 1))).toBe("03020186");
    expect(hex(derTrue())).toBe("0101ff");
    expect(hex(derSequence(derSet(derTrue()), derOctets(Uint8Array.of(1))))).toBe("300831030101ff040101");
    expect(hex(derTagged(3, derTrue(), { constructed: true }))).toBe("a3030101ff");
    expect(hex(derTagged(7, Uint8Array.of(127, 0, 0, 1), { constructed: false }))).toBe("87047f000001");
  });

  it("writes UTCTime until 2049 and GeneralizedTime from 2050", () => {
    expect(Buffer.from(derTime(Date.UTC(2026, 10, 15, 20, 1, 2))).toString("latin1")).toBe("\u0017\u000d261115200102Z");
    expect(Buffer.from(derTime(Date.UTC(2049, 11, 31, 23, 59, 59))).toString("latin1")).toBe("\u0017\u000d491231235959Z");
    expect(Buffer.from(derTime(Date.UTC(2050, 0, 1))).toString("latin1")).toBe("\u0018\u000f20500101000000Z");
  });

  it("gives every element its exact length", () => {
    fc.assert(
      fc.property(fc.nat({ max: 70_000 }), (length) => {
        const bytes = derOctets(new Uint8Array(length));
        const first = bytes[1] ?? 0;
        const digits = first < 0x80 ? 0 : first & 0x7f;
        const read = first < 0x80 ? first : bytes.subarray(2, 2 + digits).reduce((sum, byte) => sum * 256 + byte, 0);
        expect(read).toBe(length);
        expect(bytes.length).toBe(2 + digits + length);
        expect(first < 0x80 || bytes[2] !== 0).toBe(true);
      }),
    );
  });
});
