import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { UncheckedSchema } from "./schema.ts";
import { checkStructural } from "./structural.ts";

const texts = (schema: UncheckedSchema, hasStatus = false): string[] => checkStructural(schema, "s", { hasStatus }).map(printFieldError);

describe("checkStructural", () => {
  it("accepts types everywhere", () => {
    expect(
      texts(
        { type: "object", properties: { spec: { type: "object", properties: { size: { type: "integer", default: 1, minimum: 0 } } } } },
        true,
      ),
    ).toEqual([]);
  });

  it("checks structure, then defaults, and keywords in any case", () => {
    expect(texts({ type: "object", properties: { a: { default: "x", uniqueItems: true }, b: { type: "integer", default: "x" } } })).toEqual(
      [
        "s.properties[a].type: Required value: must not be empty for specified object fields",
        "s.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
      ],
    );
    expect(texts({ type: "object", properties: { b: { type: "integer", default: "x" } } })).toEqual([
      's.properties[b].default: Invalid value: "string":  in body must be of type integer: "string"',
    ]);
  });

  it("names $schema only when there is no other error", () => {
    expect(texts({ type: "object", $schema: "x" })).toEqual([`s: Invalid value: "": OpenAPIV3Schema 'schema' is not supported`]);
    expect(texts({ type: "object", $schema: "x", nullable: true })).toEqual(["s.nullable: Forbidden: nullable cannot be true at the root"]);
  });

  it("allows few keywords at the root beside a status", () => {
    expect(texts({ type: "string" }, true)[0]).toBe(
      's.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    );
    const [text = ""] = texts({ type: "object", maxProperties: 5 }, true);
    expect(text).toContain('s: Invalid value: {"ID":"","Schema":"",');
    expect(text).toContain('"MaxProperties":5,');
    expect(text).toMatch(
      /: only \[Description Type .* XValidations\] fields are allowed at the root of the schema if the status subresource is enabled$/,
    );
  });
});
