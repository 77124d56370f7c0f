import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { FieldError } from "../field/field-error.ts";
import type { UncheckedSchema, ValidationRule } from "./schema.ts";
import { checkValidationRules } from "./validation-rules.ts";

const base: UncheckedSchema = {
  type: "object",
  properties: { a: { type: "object", additionalProperties: { type: "object", properties: { "x.y'z": { type: "string" } } } } },
};

function texts(rule: ValidationRule): string[] {
  const errors: FieldError[] = [];
  checkValidationRules({ ...base, "x-kubernetes-validations": [rule] }, { path: "s", errors });
  return errors.map((error) => printFieldError(error).replace("s.x-kubernetes-validations[0].", ""));
}

describe("checkValidationRules", () => {
  it("requires an expression, and a message of one line", () => {
    expect(texts({ rule: " " })).toEqual(["rule: Required value: rule is not specified"]);
    expect(texts({ rule: "true", message: " " })).toEqual(['message: Invalid value: " ": must be non-empty if specified']);
    expect(texts({ rule: "true", message: "a\nb" })).toEqual(['message: Invalid value: "a\\nb": must not contain line breaks']);
    expect(texts({ rule: "a &&\nb" })).toEqual(["message: Required value: message must be specified if rule contains line breaks"]);
    expect(texts({ rule: "true", messageExpression: " " })).toEqual([
      "messageExpression: Required value: messageExpression must be non-empty if specified",
    ]);
  });

  it("requires a known reason", () => {
    expect(texts({ rule: "true", reason: "Odd" })).toEqual([
      'reason: Unsupported value: "Odd": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
    ]);
  });

  it.each([".a", "['a']", ".a.any", ".a['any']['x.y\\'z']"])("accepts the path %s", (fieldPath) =>
    expect(texts({ rule: "true", fieldPath })).toEqual([]),
  );
  it.each(["a", ".b", ".", ".a.any.x", "['a'", "[a]", "['\\q']", ".toString"])("rejects the path %s", (fieldPath) => {
    expect(texts({ rule: "true", fieldPath })).toEqual([`fieldPath: Invalid value: ${JSON.stringify(fieldPath)}: must be a valid path`]);
  });
});
