import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeatsIn } from "./repeats.ts";

describe("repeatsIn", () => {
  it("returns the positions of texts that occur before as well", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "", undefined), { maxLength: 10 }), (texts) => {
        expect([...repeatsIn(texts)]).toEqual(texts.flatMap((text, index) => (texts.indexOf(text) < index ? [index] : [])));
      }),
    );
  });
});
