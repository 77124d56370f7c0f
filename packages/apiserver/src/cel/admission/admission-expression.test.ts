import { describe, expect, it } from "vitest";
import { boolType, listType, nullType, stringType } from "../check/cel-type.ts";
import { admissionEnvironment } from "./admission-environment.ts";
import { compileAdmissionExpression } from "./admission-expression.ts";
import { applyConfigurationType, jsonPatchType } from "./admission-types.ts";

const environment = admissionEnvironment({ hasParams: false, hasAuthorizer: true, hasPatchTypes: true, variables: new Map() });
const problemOf = (text: string): string => {
  const compiled = compile(text);
  return "problem" in compiled ? compiled.problem : "";
};
const compile = (text: string, ...wanted: Parameters<typeof compileAdmissionExpression>[2][]) =>
  compileAdmissionExpression(text, environment, ...wanted);

describe("compileAdmissionExpression", () => {
  it("accepts the wanted types, and any type if none is wanted", () => {
    expect(compile("object.a == 1", [boolType])).toHaveProperty("program");
    expect(compile("object.a")).toHaveProperty("program");
    expect(compile("Object{spec: Object.spec{a: 1}}", [applyConfigurationType])).toHaveProperty("program");
    expect(compile("[JSONPatch{op: 'remove', path: '/a'}]", [listType(jsonPatchType)])).toHaveProperty("program");
  });

  it("names wanted and found types", () => {
    expect(compile("object.a", [boolType])).toMatchObject({ problem: "must evaluate to bool but got dyn" });
    expect(compile("1", [stringType, nullType])).toMatchObject({ problem: "must evaluate to one of [string null_type] but got int" });
    expect(compile("[1]", [listType(jsonPatchType)])).toMatchObject({ problem: "must evaluate to list(JSONPatch) but got list(int)" });
    expect(compile("Object.spec{}", [applyConfigurationType])).toMatchObject({ problem: "must evaluate to Object but got Object.spec" });
  });

  it("refuses fields that a type does not have, and values that do not fit", () => {
    expect(problemOf("request.nope")).toContain("undefined field 'nope'");
    expect(problemOf("JSONPatch{op: 1}")).toContain("<input>:1:13: expected type of field 'op' is 'string' but provided type is 'int'");
    expect(problemOf("JSONPatch{nope: 1}")).toContain("undefined field 'nope'");
    expect(problemOf("Object{?a: 1}")).toContain("expected type 'optional_type(int)' but found 'int'");
    expect(problemOf("Nope{}")).toContain("undeclared reference to 'Nope'");
  });
});
