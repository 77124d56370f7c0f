import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReadyLine } from "./ready-line.ts";
import type { Ranked } from "./ready-line.ts";

const ranked = (score: number, sequence: number): Ranked => ({ score, sequence, place: 0, inHeap: false });

describe("ReadyLine", () => {
  it("returns the lowest score first, and the lower sequence of two equals, in any order of arrival", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("push", "push", "shift", "remove"), fc.integer({ min: -5, max: 5 }), fc.nat(20))),
        (steps) => {
          const line = new ReadyLine<Ranked>();
          let plain: Ranked[] = [];
          for (const [sequence, [verb, score, pick]] of steps.entries()) {
            const chosen = plain[pick];
            if (verb === "push") {
              const added = ranked(score, sequence);
              line.push(added);
              plain.push(added);
            } else if (verb === "remove" && chosen !== undefined) {
              line.remove(chosen);
              plain = plain.filter((other) => other !== chosen);
            } else if (verb === "shift") expect(line.shift()).toBe(plain.shift());
            plain.sort((a, b) => a.score - b.score || a.sequence - b.sequence);
            expect(line.size).toBe(plain.length);
          }
        },
      ),
    );
  });

  it("needs no heap while elements arrive in order of rank", () => {
    const line = new ReadyLine<Ranked>();
    const all = Array.from({ length: 100 }, (_, index) => ranked(index, index));
    for (const one of all) line.push(one);
    expect(all.some(({ inHeap }) => inHeap)).toBe(false);
    const urgent = ranked(-1, 100);
    line.push(urgent);
    expect(urgent.inHeap).toBe(true);
    expect(line.shift()).toBe(urgent);
  });
});
