import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import { validateFieldManager, validateManagedFields } from "./managed-fields.ts";

describe("validateManagedFields", () => {
  it("requires a known operation and type", () => {
    expect(validateManagedFields([{ operation: "Apply", fieldsType: "FieldsV1", manager: "me" }, { operation: "Update" }], "m")).toEqual(
      [],
    );
    expect(validateManagedFields([{}, { operation: "<x>", fieldsType: "V2" }], "m").map(printFieldError)).toEqual([
      'm[0].operation: Invalid value: "": must be `Apply` or `Update`',
      'm[1].operation: Invalid value: "\\u003cx\\u003e": must be `Apply` or `Update`',
      'm[1].fieldsType: Invalid value: "V2": must be `FieldsV1`',
    ]);
    expect(validateManagedFields([{ operation: "Apply", subresource: "s".repeat(257) }], "m").map(printFieldError)).toEqual([
      "m[0].subresource: Too long: may not be more than 256 bytes",
    ]);
    expect(validateManagedFields(undefined, "m")).toEqual([]);
  });

  it("requires a printable manager; positions count bytes", () => {
    expect(validateFieldManager("kubectl é", "m")).toEqual([]);
    expect(validateFieldManager("é\n😀\u200b", "m").map((error) => error.detail)).toEqual([
      "invalid character U+000A (at position 2)",
      "invalid character U+200B (at position 7)",
    ]);
    expect(validateFieldManager("m".repeat(129), "m").map(printFieldError)).toEqual(["m: Too long: may not be more than 128 bytes"]);
  });
});
