import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BodyCache, overheadBytes } from "./body-cache.ts";
import type { BodyHolder } from "./body-cache.ts";

interface Holder extends BodyHolder {
  readonly text: string;
}

const holder = (text: string): Holder => ({ body: undefined, text });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = ({ body }: BodyHolder): string | undefined => (body === undefined ? undefined : new TextDecoder().decode(body.bytes));

function cacheOf(bytesMax: number) {
  const counts = { evicted: 0, bytes: 0 };
  const cache = new BodyCache({ bytesMax, onEvicted: () => counts.evicted++, onBytes: (now) => (counts.bytes = now) });
  const put = (text: string): Holder => {
    const made = holder(text);
    cache.put(made, bytes(text), "json");
    return made;
  };
  return { cache, counts, put };
}

describe("BodyCache", () => {
  it("evicts the oldest body that was not read, and gives one that was read another round", () => {
    const { counts, put } = cacheOf(3 * (overheadBytes + 1));
    const [a, b, c] = [put("a"), put("b"), put("c")];
    if (a.body !== undefined) a.body.isRead = true;
    put("d");
    expect([a, b, c].map(textOf)).toEqual(["a", undefined, "c"]);
    put("e");
    put("f");
    expect([a, b, c].map(textOf)).toEqual([undefined, undefined, undefined]);
    expect(counts.evicted).toBe(3);
  });

  it("does not keep a body that is larger than the limit, and evicts nothing for it", () => {
    const { cache, counts, put } = cacheOf(overheadBytes + 10);
    const small = put("small");
    expect([textOf(put("x".repeat(11))), textOf(small), cache.size, counts.evicted]).toEqual([undefined, "small", 1, 1]);
  });

  it("moves at most 32 bodies for one that is stored, although all were read", () => {
    const { cache, put } = cacheOf(100 * (overheadBytes + 2));
    const all = Array.from({ length: 100 }, (_, at) => put(String(at).padStart(2, "0")));
    for (const { body } of all) if (body !== undefined) body.isRead = true;
    put("xx");
    expect(all.filter(({ body }) => body !== undefined && !body.isRead)).toHaveLength(32);
    expect(cache.size).toBe(100);
  });

  it("keeps every body that it has unchanged, and never exceeds its limit (property)", () => {
    const step = fc.record({ length: fc.constantFrom(0, 1, 50, 400, 5000, 70_000), read: fc.integer({ min: 0, max: 30 }) });
    fc.assert(
      fc.property(fc.constantFrom(0, 1000, 20_000, 100_000), fc.array(step, { maxLength: 200 }), (bytesMax, steps) => {
        const { cache, counts, put } = cacheOf(bytesMax);
        const holders: Holder[] = [];
        for (const [at, { length, read }] of steps.entries()) {
          holders.push(put(`${at} `.padEnd(length, String(at % 10)).slice(0, length)));
          const body = holders.at(-1 - read)?.body;
          if (body !== undefined) body.isRead = true;
          const held = holders.filter((each) => each.body !== undefined);
          expect(held.map(textOf)).toEqual(held.map(({ text }) => text));
          expect(held.length).toBe(cache.size);
          expect(held.reduce((sum, { text }) => sum + text.length + overheadBytes, 0)).toBe(cache.bytes);
          expect(cache.bytes).toBeLessThanOrEqual(bytesMax);
          if (held.length > 0) expect(counts.bytes).toBe(cache.bytes);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("holds little more memory than its bodies, although a few of them are always read", () => {
    const { cache, put } = cacheOf(2 * 2 ** 20);
    const hot: Holder[] = [];
    for (let at = 0; at < 20_000; at++) {
      const made = put("x".repeat(900));
      if (at % 250 === 0) hot.push(made);
      for (const { body } of hot.slice(-8)) if (body !== undefined) body.isRead = true;
    }
    const memory = new Set<ArrayBufferLike>();
    for (const body of cache.bodies()) memory.add(body.bytes.buffer);
    const slabs = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(slabs).toBeLessThan(cache.bytes + 3 * 256 * 1024);
  });
});
