import { describe, expect, it } from "vitest";
import { StoreIndex } from "./store-index.ts";

const content = (index: StoreIndex<unknown>): Record<string, string[]> =>
  Object.fromEntries([...index.values()].map((value) => [value, [...index.keys(value)]]));

describe("StoreIndex", () => {
  it("moves a key from none to one to many values and back", () => {
    const index = new StoreIndex<unknown>(() => []);
    index.record("other", ["red"]);
    const seen = [[], ["red"], ["red", "blue"], ["blue"], ["blue", "blue"], ["green", "red"], []].map((values) => {
      index.record("key", values);
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
    const index = new StoreIndex<unknown>(() => []);
    index.record("a", ["red", "blue"]);
    index.forget("unknown");
    index.forget("a");
    index.forget("a");
    expect([content(index), [...index.keys("red")]]).toEqual([{}, []]);
  });
});
