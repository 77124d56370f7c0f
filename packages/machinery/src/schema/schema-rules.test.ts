import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { UncheckedSchema } from "./schema.ts";
import { checkKeywords } from "./schema-rules.ts";

const texts = (schema: UncheckedSchema): string[] => checkKeywords(schema, "s").map(printFieldError);

describe("checkKeywords", () => {
  it("rejects unknown types anywhere", () => {
    expect(
      texts({
        type: "nope",
        allOf: [{ id: "x" }],
        definitions: { a: { $ref: "#" } },
        dependencies: { b: { additionalItems: false } },
        items: [{ patternProperties: { a: {} } }],
      }),
    ).toEqual([
      's.type: Unsupported value: "nope": supported values: "array", "boolean", "integer", "number", "object", "string"',
      "s.definitions: Forbidden: definitions is not supported",
      "s.dependencies: Forbidden: dependencies is not supported",
      "s.items: Forbidden: items must be a schema object and not an array",
      "s.allOf[0].id: Forbidden: id is not supported",
      "s.definitions[a].$ref: Forbidden: $ref is not supported",
      "s.items[0].patternProperties: Forbidden: patternProperties is not supported",
      "s.dependencies[b].additionalItems: Forbidden: additionalItems is not supported",
    ]);
  });

  it("rejects a schema that is both struct and map", () => {
    expect(texts({ properties: { a: {} }, additionalProperties: {} })).toEqual([
      "s.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
    ]);
    expect(texts({ properties: { a: {} }, additionalProperties: true })).toEqual([]);
  });

  it("rejects defaults for type and metadata of the object", () => {
    expect(texts({ properties: { kind: { default: "A" }, spec: { properties: { kind: { default: "B" } } } } })).toEqual([
      "s.properties[kind].default: Forbidden: must not be set in top-level kind",
    ]);
    expect(
      texts({
        properties: {
          part: {
            "x-kubernetes-embedded-resource": true,
            properties: { metadata: { properties: { labels: { additionalProperties: { default: "x" } } } } },
          },
        },
      }),
    ).toEqual([
      "s.properties[part].properties[metadata].properties[labels].additionalProperties.default: Forbidden: must not be set inside additionalProperties applying to object metadata",
    ]);
    expect(texts({ properties: { part: { "x-kubernetes-embedded-resource": true, properties: { kind: { default: "A" } } } } })).toEqual([]);
    expect(texts({ properties: { metadata: { "x-kubernetes-embedded-resource": true } } })).toEqual([
      "s.properties[metadata].x-kubernetes-embedded-resource: Forbidden: must not be used inside of resource meta",
    ]);
  });

  it("accepts only true for preserving unknown fields", () => {
    expect(texts({ "x-kubernetes-preserve-unknown-fields": false })).toEqual([
      "s.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined",
    ]);
  });
});
