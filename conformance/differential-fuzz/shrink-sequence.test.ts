import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shrinkSequence } from "./shrink-sequence.ts";

describe("shrinkSequence", () => {
  it("returns the items that show the difference together, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 25 }),
        fc.infiniteStream(fc.boolean()),
        async (items, chosen) => {
          const some = items.filter(() => chosen.next().value === true);
          const needed = some.length === 0 ? items.slice(0, 1) : some;
          expect(await shrinkSequence(items, (shorter) => Promise.resolve(needed.every((item) => shorter.includes(item))))).toEqual(needed);
        },
      ),
    );
  });
  it("returns the whole sequence when every item is needed", async () => {
    expect(await shrinkSequence([1, 2, 3], ({ length }) => Promise.resolve(length === 3))).toEqual([1, 2, 3]);
  });
});
