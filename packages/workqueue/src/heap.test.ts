import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Heap } from "./heap.ts";

interface Numbered {
  rank: number;
  readonly id: number;
  place: number;
}
const before = (a: Numbered, b: Numbered): boolean => a.rank < b.rank || (a.rank === b.rank && a.id < b.id);

describe("Heap", () => {
  it("returns the smallest element first after random pushes, removals and updates", () => {
    const step = fc.record({ verb: fc.constantFrom("push", "push", "shift", "remove", "update"), rank: fc.nat(20), pick: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const heap = new Heap<Numbered>(before);
        let plain: Numbered[] = [];
        for (const [id, { verb, rank, pick }] of steps.entries()) {
          const chosen = plain[pick];
          if (verb === "push") {
            const added = { rank, id, place: 0 };
            heap.push(added);
            plain.push(added);
          } else if (verb === "shift") {
            const first = heap.shift();
            plain = plain.filter((other) => other !== first);
            expect(plain.every((other) => first === undefined || before(first, other))).toBe(true);
          } else if (chosen !== undefined && verb === "remove") {
            heap.remove(chosen);
            plain = plain.filter((other) => other !== chosen);
          } else if (chosen !== undefined) {
            chosen.rank = rank;
            heap.update(chosen);
          }
          plain.sort((a, b) => (before(a, b) ? -1 : 1));
          expect(heap.first()).toBe(plain[0]);
          expect(heap.size).toBe(plain.length);
          expect(heap.values().every((value, place) => value.place === place)).toBe(true);
        }
      }),
    );
  });

  it("is empty after clear", () => {
    const heap = new Heap<Numbered>(before);
    heap.push({ rank: 1, id: 1, place: 0 });
    heap.clear();
    expect([heap.size, heap.first(), heap.shift()]).toEqual([0, undefined, undefined]);
  });
});
