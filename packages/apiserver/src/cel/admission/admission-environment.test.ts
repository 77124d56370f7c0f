import { describe, expect, it } from "vitest";
import { dynType, intType, listType, optionalType, stringType } from "../check/cel-type.ts";
import { quantityType } from "../check/signature.ts";
import { admissionEnvironment, variableType } from "./admission-environment.ts";

describe("the CEL environment of admission", () => {
  it("declares only what was asked for", () => {
    const small = admissionEnvironment({ hasParams: false, hasAuthorizer: false });
    for (const name of ["params", "authorizer", "authorizer.requestResource", "variables", "Object", "JSONPatch"])
      expect(small.variable(name), name).toBe(undefined);
    expect(small.overloads("jsonpatch.escapeKey")).toBe(undefined);
    const large = admissionEnvironment({ hasParams: true, hasAuthorizer: true, hasPatchTypes: true, variables: new Map() });
    for (const name of ["params", "authorizer", "authorizer.requestResource", "variables", "Object", "JSONPatch", "request"])
      expect(large.variable(name), name).not.toBe(undefined);
  });

  it("keeps the types of composed variables that are scalars, lists or maps", () => {
    expect(variableType(listType(intType))).toEqual(listType(intType));
    expect(variableType(listType(quantityType))).toEqual(listType(dynType));
    expect(variableType(optionalType(stringType))).toEqual(dynType);
  });
});
