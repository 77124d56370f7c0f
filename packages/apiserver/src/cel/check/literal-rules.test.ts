import { describe, expect, it } from "vitest";
import { checkText } from "../testing/evaluate-text.ts";

describe("checkLiterals", () => {
  it.each([
    ["[1, 'a']", "expected type 'int' but found 'string'"],
    ["{1: 1, 'a': 1}", "expected type 'int' but found 'string'"],
    ["duration('x')", "invalid duration argument"],
    ["timestamp('x')", "invalid timestamp argument"],
    ["'a'.matches('(')", "invalid matches argument"],
    ["'%d'.format(['a'])", "decimal clause"],
    ["'%s'.format([[1, optional.of(1)]])", "string clause can only be used on strings"],
    ["'%s'.format([{'a': [quantity('1')]}])", "was given kubernetes.Quantity"],
    ["'%s'.format([])", "index 0 out of range"],
    ["''.format([1])", "too many arguments"],
  ])("reports for %s: %s", (text, message) => {
    expect(() => checkText(text)).toThrow(message);
  });

  it("allows arguments of any type for format", () => {
    expect(() => checkText("'%s %s %s'.format([1, 'a', [[dyn(1), {'b': null}]]])")).not.toThrow();
  });
});
