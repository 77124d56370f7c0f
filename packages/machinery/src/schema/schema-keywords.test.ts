import { describe, expect, it } from "vitest";
import { printInternalItems, printInternalSchema, usedKeywords } from "./schema-keywords.ts";

describe("usedKeywords and printInternalSchema", () => {
  it("list keywords in use, in the server's order", () => {
    expect(
      usedKeywords({
        "x-kubernetes-validations": [],
        type: "",
        nullable: false,
        required: [],
        maximum: 0,
        description: "d",
        default: null,
      }),
    ).toEqual(["Description", "Maximum", "Required", "XValidations"]);
  });

  it("print all keywords, absent ones as empty", () => {
    const text = printInternalSchema({
      type: "object",
      properties: { b: {}, a: {} },
      additionalProperties: false,
      dependencies: { x: ["y"] },
      externalDocs: { url: "<u>" },
      "x-kubernetes-validations": [{ rule: "r" }],
    });
    const parsed = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(parsed)).toHaveLength(44);
    expect(parsed).toMatchObject({
      ID: "",
      Type: "object",
      Nullable: false,
      Maximum: null,
      AdditionalProperties: { Allows: false, Schema: null },
      Dependencies: { x: { Schema: null, Property: ["y"] } },
      ExternalDocs: { Description: "", URL: "<u>" },
      XValidations: [{ Rule: "r", Message: "", MessageExpression: "", Reason: null, FieldPath: "", OptionalOldSelf: null }],
    });
    expect(Object.keys(parsed["Properties"] as object)).toEqual(["a", "b"]);
    expect(text).toContain("\\u003cu\\u003e");
  });

  it("print items that are one schema or a list", () => {
    expect(printInternalItems([])).toBe('{"Schema":null,"JSONSchemas":[]}');
    expect(printInternalItems({ type: "x" })).toContain('"JSONSchemas":null');
  });
});
