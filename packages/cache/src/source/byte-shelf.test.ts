import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteShelf } from "./byte-shelf.ts";

describe("ByteShelf", () => {
  it("returns slices that do not overlap, of any length", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 40 }), (lengths) => {
        const shelf = new ByteShelf();
        const pieces = lengths.map((length, index) => shelf.take(length).fill(index % 251));
        expect(pieces.map((piece) => piece.length)).toEqual(lengths);
        for (const [index, piece] of pieces.entries()) expect(piece.every((byte) => byte === index % 251)).toBe(true);
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / 20) },
    );
  });
  it("puts small slices into one array and gives a large one its own", () => {
    const shelf = new ByteShelf();
    expect(shelf.take(5000).buffer).toBe(shelf.take(5000).buffer);
    expect(shelf.take(100_000).buffer.byteLength).toBe(100_000);
  });
  it("allocates little for a small cache, and at most twice the bytes of a larger one", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 100 }), (lengths) => {
        const shelf = new ByteShelf();
        const arrays = new Set(lengths.map((length) => shelf.take(length).buffer));
        const allocated = [...arrays].reduce((sum, { byteLength }) => sum + byteLength, 0);
        const taken = lengths.reduce((sum, length) => sum + length, 0);
        // The rest of an array is lost when the next slice does not fit.
        expect(allocated).toBeLessThanOrEqual(Math.max(16 * 1024, 2 * taken + arrays.size * 20_000));
      }),
    );
    expect(new ByteShelf().take(100).buffer.byteLength).toBe(16 * 1024);
  });
  it("is worn when allocations exceed the live bytes by half a megabyte", () => {
    const shelf = new ByteShelf();
    const take = (megabytes: number): void => {
      for (let n = 0; n < megabytes * 100; n++) shelf.take(10_486);
    };
    take(20);
    shelf.endTidying();
    take(20);
    expect(shelf.isWorn).toBe(false);
    take(1);
    expect(shelf.isWorn).toBe(true);
    shelf.beginTidying();
    expect(shelf.isWorn).toBe(false);
    take(20);
    shelf.endTidying();
    take(20);
    expect(shelf.isWorn).toBe(false);
  });
  it("releases its arrays when it is compacted", () => {
    const shelf = new ByteShelf();
    const before = shelf.take(10);
    shelf.beginTidying();
    expect(shelf.take(10).buffer).not.toBe(before.buffer);
  });
});
