import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { PolicyExpressions } from "./policy-expression.ts";

const expressions = (hasVariables = true): PolicyExpressions => new PolicyExpressions({ hasParams: false, hasVariables });
const expression = "true";

describe("expressions of policies", () => {
  it("must compile to the type of their place", () => {
    const errors = expressions(false).validateValidations([
      { expression: "object.a == 1" },
      { expression: "object.a" },
      { expression: " " },
      { expression, messageExpression: "1" },
      { expression, messageExpression: "authorizer == null ? '' : ''" },
      { expression: "variables.a" },
      { expression: "params.a == 1" },
    ]);
    expect(errors.map(printFieldError)).toEqual([
      'spec.validations[1].expression: Invalid value: "object.a": must evaluate to bool but got dyn',
      "spec.validations[2].expression: Required value: expression is not specified",
      'spec.validations[3].messageExpression: Invalid value: "1": must evaluate to string but got int',
      expect.stringContaining("undeclared reference to 'authorizer'"),
      expect.stringContaining("undeclared reference to 'variables'"),
      expect.stringContaining("undeclared reference to 'params'"),
    ]);
  });

  it("see the variables before them", () => {
    const own = expressions();
    expect(
      own
        .validateVariables([
          { name: "a", expression: "1" },
          { name: "b", expression: "variables.a + 'x'" },
          { name: "c", expression: "variables.later" },
          { name: "later", expression: "1" },
          { name: "in", expression: "1" },
          { name: " ", expression: " " },
        ])
        .map(({ field }) => field),
    ).toEqual([
      "spec.variables[1].expression",
      "spec.variables[2].expression",
      "spec.variables[4].name",
      "spec.variables[5].name",
      "spec.variables[5].expression",
    ]);
    expect(own.validateValidations([{ expression: "variables.a == 1 && variables.b == 'any type'" }])).toEqual([]);
    expect(own.validateValidations([{ expression: "variables.a == 'x'" }])).toHaveLength(1);
  });

  it("of audit annotations return strings or null, and have keys that fit the policy's name", () => {
    const errors = expressions(false).validateAuditAnnotations(
      [
        { key: "a", valueExpression: "object.a == 1 ? 'x' : null" },
        { key: "a", valueExpression: "1" },
        { key: "b/c", valueExpression: "''" },
        { key: "d", valueExpression: `'${"x".repeat(6000)}'` },
      ],
      "p",
    );
    expect(errors.map(({ field }) => field)).toEqual([
      "spec.auditAnnotations[0].valueExpression",
      "spec.auditAnnotations[1].valueExpression",
      "spec.auditAnnotations[1].key",
      "spec.auditAnnotations[2].key",
      "spec.auditAnnotations[3].valueExpression",
    ]);
  });

  it("of mutations return an Object or a list of JSONPatch", () => {
    const apply = (text: string) => ({ patchType: "ApplyConfiguration" as const, applyConfiguration: { expression: text } });
    const patch = (text: string) => ({ patchType: "JSONPatch" as const, jsonPatch: { expression: text } });
    expect(expressions().validateMutations([apply("Object{}"), patch("[JSONPatch{op: 'remove', path: '/a'}]")])).toEqual([]);
    expect(
      expressions()
        .validateMutations([apply("{}"), patch("[1]"), { ...apply("Object{}"), ...patch("[1]") }])
        .map(({ field }) => field),
    ).toEqual([
      "spec.mutations[0].applyConfiguration.expression",
      "spec.mutations[1].jsonPatch.expression",
      "spec.mutations[2].jsonPatch.expression",
      "spec.mutations[2].applyConfiguration",
    ]);
  });
});
