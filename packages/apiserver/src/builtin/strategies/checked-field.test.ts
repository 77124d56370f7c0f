import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import {
  problemsOf,
  validateChoice,
  validateImmutable,
  validateNonNegative,
  validateOptionalChoice,
  validatePort,
  validateQualifiedName,
  validateRequiredText,
} from "./checked-field.ts";

describe("shared field checks", () => {
  it("problemsOf returns one error per problem", () => {
    expect(problemsOf("a", "b", ["one", "two"]).map(printFieldError)).toEqual(['a: Invalid value: "b": one', 'a: Invalid value: "b": two']);
  });

  it("validateImmutable accepts semantically equal values", () => {
    expect(validateImmutable(undefined, {}, "a")).toEqual([]);
    expect(validateImmutable({ b: 1 }, { b: 2 }, "a").map(printFieldError)).toEqual(['a: Invalid value: {"b":1}: field is immutable']);
  });

  it("validateRequiredText distinguishes missing from invalid text", () => {
    expect(validateRequiredText("", "a").map(printFieldError)).toEqual(["a: Required value"]);
    expect(validateRequiredText("b", "a", () => ["no"]).map(printFieldError)).toEqual(['a: Invalid value: "b": no']);
  });

  it("validateChoice lists the supported values", () => {
    expect(validateChoice("z", "a", ["b", "c"]).map(printFieldError)).toEqual(['a: Unsupported value: "z": supported values: "b", "c"']);
    expect(validateChoice(undefined, "a", ["b"]).map(printFieldError)).toEqual(["a: Required value"]);
    expect(validateOptionalChoice(undefined, "a", ["b"])).toEqual([]);
    expect(validateOptionalChoice("", "a", ["b"]).map(printFieldError)).toEqual(['a: Unsupported value: "": supported values: "b"']);
  });

  it("validatePort accepts port numbers and names", () => {
    expect([validatePort(80, "a"), validatePort("http", "a")]).toEqual([[], []]);
    expect(validatePort(0, "a").map(printFieldError)).toEqual(["a: Invalid value: 0: must be between 1 and 65535, inclusive"]);
    expect(validatePort("A", "a")).not.toEqual([]);
  });

  it("refuse negative numbers and invalid qualified names", () => {
    expect(validateNonNegative(-1, "a").map(printFieldError)).toEqual(["a: Invalid value: -1: must be greater than or equal to 0"]);
    expect(validateNonNegative(undefined, "a")).toEqual([]);
    expect(validateQualifiedName("a b", "a")).toHaveLength(1);
  });
});
