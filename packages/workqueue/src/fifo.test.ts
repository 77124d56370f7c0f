import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fifo } from "./fifo.ts";

const element = (name: number): { readonly name: number; place: number } => ({ name, place: 0 });

describe("Fifo", () => {
  it("behaves like an array under random push, shift and remove", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            { weight: 3, arbitrary: fc.constant(-1) },
            { weight: 2, arbitrary: fc.constant(-2) },
            { weight: 2, arbitrary: fc.nat(40) },
          ),
          { maxLength: 200 },
        ),
        (steps) => {
          const fifo = new Fifo<ReturnType<typeof element>>();
          let plain: ReturnType<typeof element>[] = [];
          for (const [name, step] of steps.entries()) {
            const chosen = plain[step];
            if (step === -1) {
              const added = element(name);
              fifo.push(added);
              plain.push(added);
            } else if (step === -2) expect(fifo.shift()).toBe(plain.shift());
            else if (chosen !== undefined) {
              fifo.remove(chosen);
              plain = plain.filter((other) => other !== chosen);
            }
            expect([fifo.size, fifo.first(), fifo.last()]).toEqual([plain.length, plain[0], plain.at(-1)]);
          }
        },
      ),
    );
  });

  it("does not grow when elements come and go behind one that stays in the list", () => {
    const fifo = new Fifo<ReturnType<typeof element>>();
    fifo.push(element(0));
    let last = element(1);
    fifo.push(last);
    let highest = 0;
    for (let round = 0; round < 10_000; round++) {
      const next = element(round);
      fifo.push(next);
      fifo.remove(last);
      last = next;
      highest = Math.max(highest, next.place);
    }
    // Places restart at 0 when the ring is rebuilt, so they show how long the ring is.
    expect(highest).toBeLessThan(16);
    expect(fifo.size).toBe(2);
  });

  it("keeps the order when the ring doubles", () => {
    const fifo = new Fifo<ReturnType<typeof element>>();
    for (let name = 0; name < 10_000; name++) fifo.push(element(name));
    for (let name = 0; name < 10_000; name++) expect(fifo.shift()?.name).toBe(name);
    expect(fifo.shift()).toBeUndefined();
  });
});
