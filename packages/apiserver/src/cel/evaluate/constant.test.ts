import { describe, expect, it } from "vitest";
import { checkText, runText } from "../testing/evaluate-text.ts";
import { constantOf, constantProblem } from "./constant.ts";

const constant = (text: string) => {
  const checked = checkText(text);
  return constantOf(checked.expression, checked);
};

describe("constants of CEL", () => {
  it("are literals, lists of them, and conversions", () => {
    expect(constant("5")).toEqual({ value: 5n });
    expect(constant("int(string(5))")).toEqual({ value: 5n });
    expect(constant("[1, int('2')]")).toMatchObject({ value: { kind: "list", size: 2 } });
    for (const text of ["self", "int(self)", "[self]", "[]", "size('a')"]) expect(constant(text), text).toBe(undefined);
  });

  it("cost nothing", () => {
    expect(runText("int('5')").cost).toBe(0);
    expect(runText("int(self)", "5").cost).toBeGreaterThan(0);
  });

  it("have a problem if a conversion fails, wherever it is", () => {
    const problem = "type conversion error from 'string' to 'int'";
    expect(constantProblem(checkText("self == 1 || (false ? [int('x')] : [1])[0] == 2"))).toBe(problem);
    expect(constantProblem(checkText("self.all(x, x == int(int('')))"))).toBe(problem);
    expect(constantProblem(checkText("int(self) == int('1')"))).toBe(undefined);
  });
});
