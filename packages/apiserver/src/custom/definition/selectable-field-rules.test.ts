import { describe, expect, it } from "vitest";
import { printFieldError } from "@drover/machinery";
import type { UncheckedSchema } from "@drover/machinery";
import { checkSelectableFields } from "./selectable-field-rules.ts";

const text: UncheckedSchema = { type: "string" };
const schema: UncheckedSchema = {
  type: "object",
  properties: {
    metadata: { type: "object", properties: { name: text } },
    spec: {
      type: "object",
      properties: {
        a: text,
        n: { type: "number" },
        m: { type: "object", additionalProperties: text },
        any: { type: "object", additionalProperties: true },
        "b'c": text,
      },
    },
  },
};
const errorsOf = (...paths: string[]): string[] =>
  checkSelectableFields(
    paths.map((jsonPath) => ({ jsonPath })),
    schema,
    "f",
  ).map(printFieldError);

describe("checkSelectableFields", () => {
  it("accepts strings, booleans and integers of the schema", () => {
    expect(errorsOf(".spec.a", ".spec.m.any")).toEqual([]);
    expect(errorsOf(".spec.n", ".spec.any.x")).toEqual(
      [".spec.n", ".spec.any.x"].map(
        (path, index) =>
          `f[${index}].jsonPath: Invalid value: "${path}": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.`,
      ),
    );
    expect(errorsOf(".spec.zz", ".spec.a.b")).toHaveLength(2);
  });

  it("refuses metadata fields and duplicates", () => {
    expect(errorsOf(".metadata.name")).toEqual(['f[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata']);
    expect(errorsOf(".spec.a", ".spec.a")).toEqual(['f[1].jsonPath: Duplicate value: ".spec.a"']);
  });

  it.each([
    ["spec.a", "expected [ or . but got: spec"],
    [".spec[a]", "array notation is not allowed"],
    [".spec.", "unexpected end of JSON path"],
    [".", "unexpected end of JSON path"],
    [".spec..a", "does not refer to a valid field"],
  ])("refuses the path %j", (path, problem) => {
    expect(errorsOf(path)).toEqual([`f[0].jsonPath: Invalid value: "${path}": is an invalid path: ${problem}`]);
  });

  it("requires a path and at most eight fields", () => {
    expect(errorsOf("")).toEqual(["f[0].jsonPath: Required value"]);
    const many = Array.from({ length: 9 }, (_, index) => `.spec.m.k${index}`);
    expect(errorsOf(...many.slice(1))).toEqual([]);
    expect(errorsOf(...many)).toEqual(["f: Too many: 9: must have at most 8 items"]);
  });
});
