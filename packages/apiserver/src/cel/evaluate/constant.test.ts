import { describe, expect, it } from "vitest";
import { listOf } from "../value/value.ts";
import { checkText, runText, valueOf } from "../testing/evaluate-text.ts";
import { constantOf, constantProblem } from "./constant.ts";
import { compileProgram } from "./program.ts";

const constant = (text: string) => {
  const checked = checkText(text);
  return constantOf(checked.expression, checked);
};

describe("constants of CEL", () => {
  it("are literals, lists of them, and conversions", () => {
    expect(constant("5")).toEqual({ value: 5n });
    expect(constant("int(string(5))")).toEqual({ value: 5n });
    expect(constant("[1, int('2')]")).toMatchObject({ value: { kind: "list", size: 2 } });
    expect([constant("[]"), constant("dyn({})"), constant("int")]).toMatchObject([
      { value: { kind: "list", size: 0 } },
      { value: { kind: "map", size: 0 } },
      { value: { kind: "type", name: "int" } },
    ]);
    for (const text of ["self", "int(self)", "[self]", "[] + []", "size('a')"]) expect(constant(text), text).toBe(undefined);
  });

  it("include membership in an empty list, whatever is asked for", () => {
    for (const text of ["1 / 0 in []", "dyn(self.none in [])"]) expect(constant(text), text).toEqual({ value: false });
    for (const text of ["1 / 0 in dyn([])", "1 / 0 in ([] + [])", "1 / 0 in [self].filter(x, false)"])
      expect([constant(text), valueOf(text)], text).toEqual([undefined, "division by zero"]);
    expect(constantProblem(checkText("int('x') in []"))).toBe("type conversion error from 'string' to 'int'");
    expect(constantProblem(checkText("int(dyn(self in [])) == 1"))).toBe("no such overload: int(bool)");
  });

  it("cost nothing", () => {
    expect(runText("type(1) == int").cost).toBe(1);
    expect(["1 in [1]", "1 in dyn([1])", "1 in [dyn(null), dyn(1)]"].map((text) => runText(text).cost)).toEqual([0, 1, 2]);
    expect(runText("int('5')").cost).toBe(0);
    expect(runText("int(self)", "5").cost).toBeGreaterThan(0);
  });

  it("have a problem if a conversion fails, wherever it is", () => {
    const problem = "type conversion error from 'string' to 'int'";
    expect(constantProblem(checkText("self == 1 || (false ? [int('x')] : [1])[0] == 2"))).toBe(problem);
    expect(constantProblem(checkText("self.all(x, x == int(int('')))"))).toBe(problem);
    expect(constantProblem(checkText("int(self) == int('1')"))).toBe(undefined);
  });

  it("have a problem if they are of no use as an index, a pattern or a type", () => {
    const problems = [
      "self[dyn(null)] == 1",
      "self[?dyn([])].hasValue()",
      "self[dyn({})] == 1",
      "self[dyn(int)] == 1",
      "self.find('[') == ''",
      "self.matches(dyn('['))",
      "[int].all(t, t == int)",
      "string(dyn([])) == ''",
    ].map((text) => constantProblem(checkText(text)));
    expect(problems).toEqual([
      "invalid qualifier type: types.Null",
      "invalid qualifier type: *types.baseList",
      "invalid qualifier type: *types.baseMap",
      "invalid qualifier type: *types.Type",
      "error parsing regexp: missing closing ]: `[`",
      "error parsing regexp: missing closing ]: `[`",
      "reference to undefined type: t",
      "no such overload: string(list)",
    ]);
    for (const text of ["self[dyn(1.5)] == 1", "self.matches(dyn(1))", "self[self] == 1", "[1].all(int, int == 1)"])
      expect(constantProblem(checkText(text)), text).toBe(undefined);
  });

  it("stay as they are when an expression adds to them", () => {
    const program = compileProgram(
      checkText("([] + [self]).size() + (self.map(x, x) + [1]).size() + {'a': self}.transformMap(k, v, v).size()"),
    );
    const self = listOf([1n, 2n]);
    for (let run = 0; run < 3; run++) expect(program(new Map([["self", self]]), 1000).outcome).toBe(5n);
  });
});
