import { describe, expect, it } from "vitest";
import { labelText } from "./label-text.ts";

describe("labelText", () => {
  it("sorts labels by their whole text, not by key", () => {
    expect(labelText({ a: "1", "a-b": "2" })).toBe("a-b=2,a=1");
  });

  it("returns <none> without labels", () => {
    expect(labelText({})).toBe("<none>");
    expect(labelText(undefined)).toBe("<none>");
  });

  it("accepts label names such as __proto__", () => {
    expect(labelText(JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>)).toBe("__proto__=x,constructor=y");
  });
});
