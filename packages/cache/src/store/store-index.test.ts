import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StoreIndex } from "./store-index.ts";

const given = (values: readonly string[]): readonly string[] => values;

const content = <V>(index: StoreIndex<V>): Record<string, string[]> =>
  Object.fromEntries([...index.values()].map((value) => [value, [...index.keys(value)]]));

describe("StoreIndex", () => {
  it("moves a key from none to one to many values and back", () => {
    const index = new StoreIndex(given);
    index.index("other", ["red"], true);
    const seen = [[], ["red"], ["red", "blue"], ["blue"], ["blue", "blue"], ["green", "red"], []].map((values) => {
      index.index("key", values, false);
      return content(index);
    });
    expect(seen).toEqual([
      { red: ["other"] },
      { red: ["other", "key"] },
      { red: ["other", "key"], blue: ["key"] },
      { red: ["other"], blue: ["key"] },
      { red: ["other"], blue: ["key"] },
      { red: ["other", "key"], green: ["key"] },
      { red: ["other"] },
    ]);
  });

  it("frees empty entries, and ignores the removal of an unknown key", () => {
    const index = new StoreIndex(given);
    index.index("a", ["red", "blue"], true);
    index.forget("unknown");
    index.forget("a");
    index.forget("a");
    expect([content(index), [...index.keys("red")]]).toEqual([{}, []]);
  });

  it("of keys alone has the content of one of values, whatever is added and removed", () => {
    const key = fc.constantFrom("a/1", "a/2", "ab/1", "b/1", "/1", "plain", "a");
    fc.assert(
      fc.property(fc.array(fc.record({ key, isRemoval: fc.boolean() })), (steps) => {
        const before = (text: string): readonly string[] => (text.includes("/") ? [text.slice(0, text.indexOf("/"))] : []);
        const byKey = new StoreIndex(before, (text) => before(text)[0]);
        const byValue = new StoreIndex(before);
        const present = new Set<string>();
        for (const step of steps) {
          // As the store does: it removes only what it has.
          if (step.isRemoval && !present.delete(step.key)) continue;
          for (const index of [byKey, byValue]) {
            if (step.isRemoval) index.forget(step.key);
            else index.index(step.key, step.key, !present.has(step.key));
          }
          if (!step.isRemoval) present.add(step.key);
          expect(content(byKey)).toEqual(content(byValue));
        }
        expect(content(byKey.empty())).toEqual({});
      }),
    );
  });
});
