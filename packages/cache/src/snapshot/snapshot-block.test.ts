import fc from "fast-check";
import type { ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ObjectBlock, SnapshotProblem, blockBytesMax, decodeObjects, encodeBlock } from "./snapshot-block.ts";
import type { KeptObject } from "./snapshot-block.ts";

const object: fc.Arbitrary<KeptObject> = fc.record({
  key: fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).map((text) => text as ObjectKey),
  uid: fc.string({ unit: "grapheme", maxLength: 40 }),
  resourceVersion: fc.string({ maxLength: 20 }),
  isTerminating: fc.boolean(),
  encoding: fc.constantFrom("json" as const, "protobuf" as const),
  bytes: fc.uint8Array({ maxLength: 50 }),
});

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function decoded(content: Uint8Array): KeptObject[] {
  const objects: KeptObject[] = [];
  decodeObjects(content, ({ memory, offset, length, ...each }, encoding) =>
    objects.push({ ...each, encoding, bytes: new Uint8Array(memory, offset, length) }),
  );
  return objects;
}

describe("a block of objects", () => {
  it("returns what was added, in order", () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 10 }), (objects) => {
        const block = new ObjectBlock();
        for (const each of objects) block.add(each);
        expect(decoded(joined(block.take()))).toEqual(objects);
        expect([block.count, block.bytes]).toEqual([0, 0]);
      }),
    );
  });

  it("never reads beyond its end, whatever its lengths say", () => {
    fc.assert(
      fc.property(fc.array(object, { minLength: 1, maxLength: 3 }), fc.nat(), fc.integer({ min: 0, max: 255 }), (objects, at, byte) => {
        const block = new ObjectBlock();
        for (const each of objects) block.add(each);
        const content = joined(block.take());
        content[at % content.length] = byte;
        try {
          expect(decoded(content).length).toBeLessThanOrEqual(content.length);
        } catch (error) {
          if (!(error instanceof SnapshotProblem)) throw error;
        }
      }),
    );
  });

  it("refuses a text or an object that does not fit the format", () => {
    const [good] = fc.sample(object, 1) as [KeptObject];
    expect(() => new ObjectBlock().add({ ...good, uid: "u".repeat(70_000) })).toThrow("is longer than the format allows");
    expect(() => encodeBlock("objects", 1, [new Uint8Array(blockBytesMax + 1)])).toThrow("is larger than the format allows");
  });
});
