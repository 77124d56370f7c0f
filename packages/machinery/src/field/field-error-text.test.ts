import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fieldInvalid, fieldRequired } from "./field-error.ts";
import { printFieldError, printFieldErrorBody, printFieldErrors } from "./field-error-text.ts";

describe("printFieldErrors", () => {
  it("prints a value by its type", () => {
    const bodies = ["a\n", 5, 1.5, 1e6, 1.5e-7, 2n ** 62n, 10n ** 20n, true, null, ["a", 1e-7], { b: 1, a: 2 }].map((value) =>
      printFieldErrorBody(fieldInvalid("x", value, "")),
    );
    expect(bodies).toEqual(
      ['"a\\n"', "5", "1.5", "1000000", "1.5e-07", "4611686018427387904", "1e+20", "true", "null", '["a",1e-7]', '{"a":2,"b":1}'].map(
        (value) => `Invalid value: ${value}`,
      ),
    );
  });

  it("prints the given valueText", () => {
    expect(printFieldError({ ...fieldInvalid("x", { b: 1 }, "d"), valueText: "{…}" })).toBe("x: Invalid value: {…}: d");
  });

  it("prints <nil> for an error without a field", () => {
    expect(printFieldError(fieldRequired(""))).toBe("<nil>: Required value");
  });

  it("joins errors without duplicates, in brackets when there are several", () => {
    expect(printFieldErrors([])).toBe("");
    expect(printFieldErrors([fieldRequired("a"), fieldRequired("a")])).toBe("a: Required value");
    expect(printFieldErrors([fieldRequired("a"), fieldRequired("b"), fieldRequired("a")])).toBe("[a: Required value, b: Required value]");
  });

  it("is fast for many errors", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1 }), (paths) => {
        const distinct = new Set(paths);
        const text = printFieldErrors(paths.map((path) => fieldRequired(path)));
        expect(text.split(", ")).toHaveLength(distinct.size);
        expect(text.startsWith("[")).toBe(distinct.size > 1);
      }),
    );
  });
});
