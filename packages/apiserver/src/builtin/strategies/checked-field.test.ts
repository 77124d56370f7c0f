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

describe("rules that many kinds share", () => {
  it("make one error of each problem", () => {
    expect(problemsOf("a", "b", ["one", "two"]).map(printFieldError)).toEqual(['a: Invalid value: "b": one', 'a: Invalid value: "b": two']);
  });

  it("let a field that may not change mean the same in other words", () => {
    expect(validateImmutable(undefined, {}, "a")).toEqual([]);
    expect(validateImmutable({ b: 1 }, { b: 2 }, "a").map(printFieldError)).toEqual(['a: Invalid value: {"b":1}: field is immutable']);
  });

  it("tell a text that is missing from one that is wrong", () => {
    expect(validateRequiredText("", "a").map(printFieldError)).toEqual(["a: Required value"]);
    expect(validateRequiredText("b", "a", () => ["no"]).map(printFieldError)).toEqual(['a: Invalid value: "b": no']);
  });

  it("name the choices there are", () => {
    expect(validateChoice("z", "a", ["b", "c"]).map(printFieldError)).toEqual(['a: Unsupported value: "z": supported values: "b", "c"']);
    expect(validateChoice(undefined, "a", ["b"]).map(printFieldError)).toEqual(["a: Required value"]);
    expect(validateOptionalChoice(undefined, "a", ["b"])).toEqual([]);
    expect(validateOptionalChoice("", "a", ["b"]).map(printFieldError)).toEqual(['a: Unsupported value: "": supported values: "b"']);
  });

  it("take ports by number and by name", () => {
    expect([validatePort(80, "a"), validatePort("http", "a")]).toEqual([[], []]);
    expect(validatePort(0, "a").map(printFieldError)).toEqual(["a: Invalid value: 0: must be between 1 and 65535, inclusive"]);
    expect(validatePort("A", "a")).not.toEqual([]);
  });

  it("refuse what is less than nothing, and names that are none", () => {
    expect(validateNonNegative(-1, "a").map(printFieldError)).toEqual(["a: Invalid value: -1: must be greater than or equal to 0"]);
    expect(validateNonNegative(undefined, "a")).toEqual([]);
    expect(validateQualifiedName("a b", "a")).toHaveLength(1);
  });
});
