import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { indentJson } from "./indent-json.ts";

describe("indentJson", () => {
  it("equals JSON.stringify with indentation for every value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });
  it("keeps digits that parsing would lose", () => {
    expect(indentJson('{"a":9007199254740993}')).toBe('{\n  "a": 9007199254740993\n}');
  });
});
