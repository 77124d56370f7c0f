import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import { checkLabelValue, checkQualifiedName, validateLabels } from "./label.ts";

describe("label validation", () => {
  it("accepts names with or without a domain prefix", () => {
    for (const key of ["a", "A.b_c-d", "1", "example.com/a", "a/b", `${"p".repeat(253)}/${"n".repeat(63)}`])
      expect(checkQualifiedName(key), key).toEqual([]);
    for (const value of ["", "a", "A.b_c-d", "v".repeat(63)]) expect(checkLabelValue(value), value).toEqual([]);
  });

  it("reports what is wrong with each part", () => {
    expect(checkQualifiedName("/a")).toEqual(["prefix part must be non-empty"]);
    expect(checkQualifiedName("a/")).toEqual([
      "name part must be non-empty",
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ]);
    expect(checkQualifiedName(`a/${"n".repeat(64)}`)).toEqual(["name part must be no more than 63 bytes"]);
    expect(checkQualifiedName(`${"p".repeat(254)}/n`)).toEqual(["prefix part must be no more than 253 bytes"]);
    expect(checkQualifiedName("a/b/c")).toHaveLength(1);
    expect(checkLabelValue("é".repeat(32))).toHaveLength(2);
  });

  it("checks all labels, keys before values, without a path into the map", () => {
    expect(validateLabels({ ok: "1", "-": "?" }, "metadata.labels").map((error) => [error.field, error.value])).toEqual([
      ["metadata.labels", "-"],
      ["metadata.labels", "?"],
    ]);
    expect(validateLabels(undefined, "x")).toEqual([]);
    expect(validateLabels(JSON.parse('{"__proto__":"a"}') as Record<string, string>, "x").map(printFieldError)[0]).toMatch(
      /^x: Invalid value: "__proto__": name part/,
    );
  });

  it("accepts a value that is empty or a valid name", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "Z", "0", "-", ".", "_", " ", "é"), maxLength: 6 }),
        (text) => (checkLabelValue(text).length === 0) === (text === "" || checkQualifiedName(text).length === 0),
      ),
    );
  });
});
