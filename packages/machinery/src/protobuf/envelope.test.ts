import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeEnvelope, encodeEnvelope } from "./envelope.ts";

describe("encodeEnvelope and decodeEnvelope", () => {
  it("write what Go writes", () => {
    expect([...encodeEnvelope({ apiVersion: "v1", kind: "Pod", message: Uint8Array.of(1, 2) })]).toEqual([
      0x6b, 0x38, 0x73, 0, 0x0a, 9, 0x0a, 2, 0x76, 0x31, 0x12, 3, 0x50, 0x6f, 0x64, 0x12, 2, 1, 2, 0x1a, 0, 0x22, 0,
    ]);
  });

  it("round-trip", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.uint8Array({ maxLength: 300 }), (apiVersion, kind, message) => {
        expect(decodeEnvelope(encodeEnvelope({ apiVersion, kind, message }))).toEqual({ apiVersion, kind, message });
      }),
    );
  });

  it("accept empty and unknown fields", () => {
    expect(decodeEnvelope(Uint8Array.of(0x6b, 0x38, 0x73, 0, 0x48, 1))).toEqual({ apiVersion: "", kind: "", message: new Uint8Array() });
  });

  it("reject invalid data in the server's words", () => {
    const opening =
      (...bytes: number[]) =>
      () =>
        decodeEnvelope(Uint8Array.from(bytes));
    expect(opening()).toThrow("empty data");
    expect(opening(0x7b, 0x7d)).toThrow("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
    expect(opening(0x6b, 0x38, 0x73, 0)).toThrow("empty body");
    expect(opening(0x6b, 0x38, 0x73, 0, 0x08, 1)).toThrow("proto: wrong wireType = 0 for field TypeMeta");
    expect(opening(0x6b, 0x38, 0x73, 0, 0x12, 9)).toThrow("unexpected EOF");
  });
});
