import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { UncheckedSchema } from "./schema.ts";
import { checkStructure } from "./structure-rules.ts";

const texts = (schema: UncheckedSchema): string[] => checkStructure(schema, "s").map(printFieldError);
const field = (schema: UncheckedSchema): string[] =>
  texts({ type: "object", properties: { a: schema } }).map((text) => text.replace("s.properties[a]", "a"));

describe("checkStructure", () => {
  it("requires types everywhere, an object at the root, and items in lists", () => {
    expect(texts({})).toEqual(["s.type: Required value: must not be empty at the root"]);
    expect(texts({ type: "string" })).toEqual(['s.type: Invalid value: "string": must be object at the root']);
    expect(field({ type: "array" })).toEqual(["a.items: Required value: must be specified"]);
    expect(field({ type: "array", items: {} })).toEqual(["a.items.type: Required value: must not be empty for specified array items"]);
    expect(field({ "x-kubernetes-int-or-string": true })).toEqual([]);
    expect(field({ "x-kubernetes-preserve-unknown-fields": true })).toEqual([]);
  });

  it("requires alternatives to only restrict", () => {
    expect(field({ type: "object", not: { type: "string", default: 1, nullable: true, additionalProperties: true } })).toEqual([
      "a.not.additionalProperties: Forbidden: must be undefined to be structural",
      "a.not.default: Forbidden: must be undefined to be structural",
      "a.not.nullable: Forbidden: must be false to be structural",
      "a.not.type: Forbidden: must be empty to be structural",
    ]);
    expect(field({ type: "string", allOf: [{ minLength: 1 }, { pattern: "(" }] })).toEqual([
      'a.allOf[1].pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
    ]);
  });

  it("allows int-or-string types in their two places, exactly", () => {
    const pattern = [{ type: "integer" }, { type: "string" }];
    expect(field({ "x-kubernetes-int-or-string": true, anyOf: pattern })).toEqual([]);
    expect(field({ "x-kubernetes-int-or-string": true, allOf: [{ anyOf: pattern }, { pattern: "a" }], anyOf: pattern })).toEqual([]);
    expect(field({ "x-kubernetes-int-or-string": true, allOf: [{}, { anyOf: pattern }] })).toHaveLength(2);
    expect(field({ "x-kubernetes-int-or-string": true, allOf: [{ anyOf: pattern }, { anyOf: pattern }] })).toHaveLength(2);
    expect(field({ "x-kubernetes-int-or-string": true, anyOf: pattern.toReversed() })).toHaveLength(2);
    expect(field({ "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }] })).toHaveLength(2);
  });

  it("requires the root's alternatives to be specified outside", () => {
    expect(
      texts({ type: "object", properties: { a: { type: "object" } }, anyOf: [{ properties: { a: { properties: { b: {} } }, c: {} } }] }),
    ).toEqual([
      "s.properties[a].properties[b]: Required value: because it is defined in s.anyOf[0].properties[a].properties[b]",
      "s.properties[c]: Required value: because it is defined in s.anyOf[0].properties[c]",
    ]);
  });

  it("leaves metadata to the server, except names", () => {
    const metadata = (schema: UncheckedSchema): string[] => texts({ type: "object", properties: { metadata: schema } });
    expect(metadata({ type: "object", properties: { name: { type: "string", maxLength: 5 } } })).toEqual([]);
    expect(metadata({ type: "object", description: "d" })).toEqual([
      "s.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
    ]);
    expect(metadata({ type: "object", required: [] })).toHaveLength(1);
    expect(texts({ type: "object", properties: { kind: { type: "integer" } } })).toEqual([
      's.properties[kind].type: Invalid value: "integer": must be string',
    ]);
    expect(texts({ type: "object", not: { properties: { metadata: {} } } })).toContain(
      "s.not.properties[metadata]: Forbidden: must not be specified in a nested context",
    );
  });

  it("requires embedded resources to be objects with content", () => {
    expect(field({ "x-kubernetes-embedded-resource": true })).toEqual([
      "a.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields",
      "a.type: Required value: must be object if x-kubernetes-embedded-resource is true",
    ]);
    expect(field({ type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true })).toEqual([]);
  });
});
