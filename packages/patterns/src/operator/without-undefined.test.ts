import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutUndefined } from "./without-undefined.ts";

describe("withoutUndefined", () => {
  it("equals a JSON round trip, and returns the same value if there is nothing to drop", () => {
    const value = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(undefined, null, 1, "x", true),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b", "__proto__", ""), tie("node"), { maxKeys: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(value, (given) => {
        const found = withoutUndefined(given);
        expect(JSON.stringify(found)).toBe(JSON.stringify(given));
        expect(withoutUndefined(found)).toBe(found);
      }),
    );
  });

  it("keeps the key __proto__ as a key", () => {
    const value = JSON.parse('{ "__proto__": { "a": 1 } }') as object;
    expect(Object.keys(withoutUndefined({ ...value, gone: undefined }) as object)).toEqual(["__proto__"]);
  });
});
