import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printFieldErrors } from "../field/field-error-text.ts";
import { parseQuery } from "./query.ts";
import { encodeWriteOptions, parsePatchOptions, parseWriteOptions, validatePatchOptions, validateWriteOptions } from "./write-options.ts";
import type { FieldValidation, PatchOptions } from "./write-options.ts";

const options: fc.Arbitrary<PatchOptions> = fc.record(
  {
    dryRun: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
    fieldManager: fc.string({ minLength: 1 }),
    fieldValidation: fc.constantFrom<FieldValidation>("Ignore", "Warn", "Strict"),
    force: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe("write options", () => {
  it("round-trip through the query", () => {
    fc.assert(
      fc.property(options, (given) => {
        expect(parsePatchOptions(parseQuery(encodeWriteOptions(given)))).toEqual(given);
        const { force: _, ...rest } = given;
        expect(parseWriteOptions(parseQuery(encodeWriteOptions(given)))).toEqual(rest);
      }),
    );
  });
  it("are written sorted by name", () => {
    expect(encodeWriteOptions({ force: false, fieldValidation: "Strict", fieldManager: "a b", dryRun: ["All"] })).toBe(
      "dryRun=All&fieldManager=a+b&fieldValidation=Strict&force=false",
    );
  });
  it("are validated in the server's words", () => {
    expect(validateWriteOptions({ dryRun: ["All", "All"], fieldManager: "kubectl", fieldValidation: "Warn" })).toEqual([]);
    expect(printFieldErrors(validateWriteOptions(parseWriteOptions(parseQuery("dryRun=x&fieldManager=a%0ab&fieldValidation=Never"))))).toBe(
      String.raw`[fieldManager: Invalid value: "a\nb": invalid character U+000A (at position 1), dryRun: Unsupported value: ["x"]: supported values: "All", ` +
        'fieldValidation: Unsupported value: "Never": supported values: "", "Ignore", "Strict", "Warn"]',
    );
  });
  it("depend on the patch type", () => {
    expect(printFieldErrors(validatePatchOptions({ force: true }, "merge"))).toBe(
      "force: Forbidden: may not be specified for non-apply patch",
    );
    expect(printFieldErrors(validatePatchOptions({ force: true }, "apply"))).toBe(
      "fieldManager: Required value: is required for apply patch",
    );
    expect(validatePatchOptions({ force: true, fieldManager: "me" }, "apply")).toEqual([]);
  });
});
