import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import { checkDefaults } from "./default-rules.ts";
import type { Schema } from "./schema.ts";

const texts = (a: Schema): string[] =>
  checkDefaults({ type: "object", properties: { a } }, "s").map((error) => printFieldError(error).replace("s.properties[a]", "a"));

describe("checkDefaults", () => {
  it("requires defaults that validate", () => {
    expect(texts({ type: "integer", default: 5, maximum: 3 })).toEqual([
      "a.default: Invalid value: 5:  in body should be less than or equal to 3",
    ]);
    expect(texts({ type: "array", items: { type: "object", properties: { b: { type: "string", default: 5 } } } })).toEqual([
      'a.items.properties[b].default: Invalid value: "integer":  in body must be of type string: "integer"',
    ]);
    expect(texts({ type: "object", additionalProperties: { type: "string", default: 5 } })).toEqual([]);
    expect(texts({ "x-kubernetes-int-or-string": true, default: true })).toEqual([]);
  });

  it("rejects unknown fields in defaults", () => {
    expect(texts({ type: "object", default: { b: 1 } })).toEqual(['a.default: Invalid value: {"b":1}: must not have unknown fields']);
    expect(texts({ type: "object", default: { kind: 1 } })).toEqual(['a.default: Invalid value: {"kind":1}: must not have unknown fields']);
  });

  it("requires valid resources and metadata in defaults", () => {
    const resource: Schema = { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true };
    expect(texts({ ...resource, default: { apiVersion: "v1", kind: "A", metadata: { name: "a", odd: 1 } } })).toEqual([]);
    expect(texts({ ...resource, default: { kind: "A" } })).toEqual(["a.default.apiVersion: Required value"]);
    expect(
      texts({ ...resource, properties: { metadata: { type: "object", properties: { name: { type: "string", default: "a/b" } } } } }),
    ).toEqual([
      `a.properties[metadata].properties[name].default: Invalid value: "a/b": must result in valid metadata: metadata.name: Invalid value: "a/b": may not contain '/'`,
    ]);
    expect(
      texts({
        ...resource,
        properties: { metadata: { type: "object", properties: { labels: { type: "object", default: { a: 5 } } } } },
      })[0],
    ).toContain("must result in valid metadata: metadata: Invalid value: ");
  });
});
