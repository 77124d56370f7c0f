import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockChecksum } from "./block-checksum.ts";

const words = fc.uint8Array({ minLength: 0, maxLength: 80 }).map((bytes) => bytes.slice(0, bytes.length & ~3));

describe("blockChecksum", () => {
  it("differs for every change within one word", () => {
    fc.assert(
      fc.property(words, fc.nat(), fc.integer({ min: 1, max: 0xff_ff_ff_ff }), fc.nat(), (bytes, at, change, seed) => {
        if (bytes.length === 0) return;
        const changed = bytes.slice();
        const word = (at % (bytes.length / 4)) * 4;
        const view = new DataView(changed.buffer);
        view.setUint32(word, (view.getUint32(word) ^ change) >>> 0);
        expect(blockChecksum(changed, seed)).not.toBe(blockChecksum(bytes, seed));
      }),
    );
  });

  it("depends on the seed, the length and the order of the words", () => {
    const bytes = Uint8Array.from({ length: 40 }, (_, index) => index);
    const swapped = Uint8Array.from([...bytes.subarray(4, 8), ...bytes.subarray(0, 4), ...bytes.subarray(8)]);
    const sums = [
      blockChecksum(bytes, 1),
      blockChecksum(bytes, 2),
      blockChecksum(swapped, 1),
      blockChecksum(bytes.slice(0, 36), 1),
      blockChecksum(new Uint8Array(4), 1),
      blockChecksum(new Uint8Array(8), 1),
    ];
    expect(new Set(sums).size).toBe(sums.length);
  });

  it("depends on nothing but the bytes", () => {
    const bytes = Uint8Array.from({ length: 40 }, (_, index) => index * 7);
    const within = new Uint8Array(60);
    within.set(bytes, 8);
    expect(blockChecksum(within.subarray(8, 48), 5)).toBe(blockChecksum(bytes, 5));
  });
});
