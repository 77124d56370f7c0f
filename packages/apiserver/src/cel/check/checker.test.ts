import { describe, expect, it } from "vitest";
import { printType } from "./cel-type.ts";
import { checkText } from "../testing/evaluate-text.ts";

describe("checkExpression", () => {
  it.each([
    ["[1].map(x, x + 1)", "list(int)"],
    ["{'a': 1}.?b", "optional_type(int)"],
    ["[]", "list(dyn)"],
    ["self.a", "dyn"],
    ["true ? 1 : 2", "int"],
    ["type(1)", "type(int)"],
  ])("types %s as %s", (text, type) => {
    expect(printType(checkText(text).type)).toBe(type);
  });

  it.each([
    ["1 + 'a'", "found no matching overload for '_+_' applied to '(int, string)'"],
    ["'a'.size(1)", "found no matching overload for 'size' applied to 'string.(int)'"],
    ["nope", "undeclared reference to 'nope'"],
    ["1.all(x, true)", "cannot be range of a comprehension"],
    ["true && 1", "expected type 'bool' but found 'int'"],
    ["1.a", "type 'int' does not support field selection"],
    ["int{}", "'int' is not a message type"],
  ])("refuses %s: %s", (text, message) => {
    expect(() => checkText(text)).toThrow(message);
  });

  it("collects the variables of the environment, not those of macros", () => {
    expect([...checkText("self.all(self2, self2 == 1) && [1].all(x, x > 0)").variables]).toEqual(["self"]);
  });
});
