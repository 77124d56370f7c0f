import { describe, expect, it } from "vitest";
import { labelText } from "./label-text.ts";

describe("labels in a cell", () => {
  it("are in the order of their whole texts, not of their keys", () => {
    expect(labelText({ a: "1", "a-b": "2" })).toBe("a-b=2,a=1");
  });

  it("are <none> when there are none", () => {
    expect(labelText({})).toBe("<none>");
    expect(labelText(undefined)).toBe("<none>");
  });

  it("may have any name", () => {
    expect(labelText(JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>)).toBe("__proto__=x,constructor=y");
  });
});
