import { describe, expect, it } from "vitest";
import { fieldRequired, printFieldError } from "@drover/machinery";
import { ruleCheck } from "./rule-check.ts";

describe("ruleCheck", () => {
  it("reports that rules were not evaluated when a required field is missing", () => {
    const { check } = ruleCheck({
      type: "object",
      properties: { a: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 0" }] } },
    });
    expect(check([fieldRequired("b")], { a: 0 }, undefined).map(printFieldError)).toEqual([
      "b: Required value",
      expect.stringContaining("some validation rules were not checked"),
    ]);
    expect(check([], { a: 0 }, undefined).map(printFieldError)).toEqual(["a: Invalid value: 0: failed rule: self > 0"]);
  });

  it("returns no errors for a schema without rules", () => {
    const { check, warnings } = ruleCheck({ type: "object" });
    const errors = [fieldRequired("b")];
    expect(check(errors, {}, undefined)).toBe(errors);
    expect(warnings({})).toEqual([]);
  });
});
