import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { JsonValue } from "../json/json-value.ts";
import { compileSchema } from "./compiled-schema.ts";
import { validateEmbeddedResources } from "./embedded-resource.ts";

const resource = { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true } as const;
const schema = compileSchema({
  type: "object",
  properties: { one: resource, list: { type: "array", items: resource }, map: { type: "object", additionalProperties: resource } },
});
const texts = (value: JsonValue): string[] => validateEmbeddedResources(value, schema).map(printFieldError);

describe("validateEmbeddedResources", () => {
  it("requires a type, but no name", () => {
    expect(texts({ one: { apiVersion: "v1", kind: "Pod" }, list: [{ apiVersion: "a/b", kind: "C", metadata: {} }] })).toEqual([]);
    expect(texts({ one: {} })).toEqual(["one.apiVersion: Required value", "one.kind: Required value"]);
    expect(texts({ list: [{ apiVersion: "", kind: 5 }] })).toEqual([
      'list[0].apiVersion: Invalid value: "": must not be empty',
      "list[0].kind: Invalid value: 5: must be a string",
    ]);
    expect(texts({ map: { k: { apiVersion: "a/b/c", kind: "C" } } })).toEqual([
      'map[k].apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ]);
  });

  it("requires a kind that is a name in any case", () => {
    expect(texts({ one: { apiVersion: "v1", kind: "A_b" } })[0]).toContain(
      'one.kind: Invalid value: "A_b": may have mixed case, but should otherwise match: a DNS-1035 label',
    );
  });

  it("requires valid metadata", () => {
    expect(texts({ one: { apiVersion: "v1", kind: "A", metadata: { name: "a/b" } } })).toEqual([
      `one.metadata.name: Invalid value: "a/b": may not contain '/'`,
    ]);
    expect(texts({ one: { apiVersion: "v1", kind: "A", metadata: 5 } })).toEqual([
      "one.metadata: Invalid value: 5: json: cannot unmarshal number into Go value of type v1.ObjectMeta",
    ]);
  });

  it("may apply to the value itself", () => {
    expect(validateEmbeddedResources({}, compileSchema(resource), { path: "x" }).map(({ field }) => field)).toEqual([
      "x.apiVersion",
      "x.kind",
    ]);
    expect(validateEmbeddedResources({}, compileSchema({}))).toEqual([]);
  });
});
