import { describe, expect, it } from "vitest";
import { copyJson, withField, withoutField } from "./draft.ts";

describe("withField and withoutField", () => {
  const original = Object.freeze({ a: 1, b: 2 });

  it("copy the original at the first change only", () => {
    const first = withField(original, original, "c", 3);
    const second = withoutField(original, first, "a");
    expect(second).toBe(first);
    expect(second).toEqual({ b: 2, c: 3 });
    expect(original).toEqual({ a: 1, b: 2 });
  });

  it("accept hostile names", () => {
    const changed = withField(original, original, "__proto__", { polluted: true });
    expect(Object.keys(changed)).toEqual(["a", "b", "__proto__"]);
    expect(Object.keys(withField(changed, changed, "x", 1))).toEqual(["a", "b", "__proto__", "x"]);
    expect(Object.keys(withoutField(changed, changed, "__proto__"))).toEqual(["a", "b"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("copyJson", () => {
  it("is equal and shares nothing", () => {
    const source = JSON.parse('{"a":[{"b":1}],"__proto__":{"c":null}}') as Record<string, never>;
    const copy = copyJson(source) as Record<string, never>;
    expect(JSON.stringify(copy)).toBe(JSON.stringify(source));
    expect(copy["a"]).not.toBe(source["a"]);
  });
});
