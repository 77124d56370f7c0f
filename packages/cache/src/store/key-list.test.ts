import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KeyList } from "./key-list.ts";

describe("KeyList", () => {
  it("has the keys of a Set in the same order, whatever is added and deleted", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 80 }), { maxLength: 400 }), fc.integer({ min: 1, max: 500 }), (steps, readEvery) => {
        const [list, model] = [new KeyList(), new Set<string>()];
        for (const [at, step] of steps.entries()) {
          const key = `shop/${step}`;
          // A present key is deleted, an absent one is added.
          if (model.delete(key)) list.delete(key);
          else {
            model.add(key);
            list.add(key);
          }
          expect(list.size).toBe(model.size);
          if (at % readEvery === 0) expect([...list]).toEqual([...model]);
        }
        expect([...list]).toEqual([...model]);
      }),
    );
  });

  it("does not grow where keys come and go", () => {
    const list = new KeyList("first", "second");
    for (let round = 0; round < 10_000; round++) {
      list.delete("second");
      list.add("second");
    }
    expect([...list]).toEqual(["first", "second"]);
    expect(list.slots).toBeLessThan(100);
  });
});
