import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indentJson } from "./indent-json.ts";

describe("indented JSON", () => {
  it("is what JSON.stringify indents, for every value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });
  it("keeps digits that a number would lose", () => {
    expect(indentJson('{"a":9007199254740993}')).toBe('{\n  "a": 9007199254740993\n}');
  });
});
