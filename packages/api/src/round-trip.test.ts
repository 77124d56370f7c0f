/** Every built-in kind survives encoding: nothing lost, nothing added, the same bytes again. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom, decodeJson, encodeJson, jsonEqual } from "@drover/machinery";
import { kinds } from "./kind-list.ts";
import { exampleOf } from "./testing/example-object.ts";

describe("an object of any kind", () => {
  it.each(kinds.map((kind) => [`${kind.plural} ${kind.group}/${kind.version}`, kind] as const))(
    "%s: is the same after encoding and decoding, with every field set",
    (_, kind) => {
      for (let seed = 0; seed < 3; seed++) {
        const example = exampleOf(kind, createRandom(seed), { density: 1 });
        const text = encodeJson(example);
        expect(decodeJson(text)).toEqual(example);
        expect(encodeJson(decodeJson(text))).toBe(text);
      }
    },
  );

  it("is equal after encoding and decoding", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.nat(), (kind, seed) => {
        const example = exampleOf(kind, createRandom(seed));
        const text = encodeJson(example);
        const decoded = decodeJson(text);
        expect(jsonEqual(decoded, example)).toBe(true);
        expect(encodeJson(decoded)).toBe(text);
      }),
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});
