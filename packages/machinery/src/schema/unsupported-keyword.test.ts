import { describe, expect, it } from "vitest";
import type { UncheckedSchema } from "./schema.ts";
import { unsupportedKeyword } from "./unsupported-keyword.ts";

describe("unsupportedKeyword", () => {
  it.each<[UncheckedSchema, string]>([
    [{ id: "x" }, "OpenAPIV3Schema 'id' is not supported"],
    [{ properties: { a: { items: { $schema: "x" } } } }, "OpenAPIV3Schema 'schema' is not supported"],
    [{ not: { $ref: "x" } }, "OpenAPIV3Schema '$ref' is not supported"],
    [{ allOf: [{ additionalProperties: { additionalItems: true } }] }, "OpenAPIV3Schema 'additionalItems' is not supported"],
    [{ items: [{}] }, "OpenAPIV3Schema 'items' must be a schema, but is an array"],
  ])("is found in %j", (schema, text) => expect(unsupportedKeyword(schema)).toBe(text));

  it("ignores empty keywords", () => {
    expect(
      unsupportedKeyword({ type: "object", id: "", definitions: {}, items: [], properties: { id: { type: "string" } } }),
    ).toBeUndefined();
  });
});
