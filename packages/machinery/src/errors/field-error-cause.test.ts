import { describe, expect, it } from "vitest";
import { fieldRequired, fieldTypeInvalid } from "../field/field-error.ts";
import { fieldErrorCause } from "./field-error-cause.ts";

describe("fieldErrorCause", () => {
  it("returns the reason of the error's type, its text and its field", () => {
    expect(fieldErrorCause(fieldTypeInvalid("spec.x", 1, "must be a string"))).toEqual({
      reason: "FieldValueTypeInvalid",
      message: "Invalid value: 1: must be a string",
      field: "spec.x",
    });
  });

  it("names the field <nil> when the error is about no field", () => {
    expect(fieldErrorCause(fieldRequired("")).field).toBe("<nil>");
  });
});
