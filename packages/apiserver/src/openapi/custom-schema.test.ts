import { describe, expect, it } from "vitest";
import { printedSchema, supportedSchema } from "./custom-schema.ts";

describe("published schemas", () => {
  it("have keywords in Go's order and sorted properties", () => {
    const schema = {
      properties: { b: { type: "string" }, a: { minLength: 0, type: "string", description: "A" } },
      "x-kubernetes-map-type": "atomic",
      required: ["b"],
      type: "object",
      description: "D",
    } as const;
    expect(JSON.stringify(printedSchema(schema, "v3"))).toBe(
      '{"description":"D","type":"object","required":["b"],"properties":{"a":{"description":"A","type":"string","minLength":0},"b":{"type":"string"}},"x-kubernetes-map-type":"atomic"}',
    );
  });

  it("omit empty keywords", () => {
    expect(
      printedSchema(
        { description: "", nullable: false, uniqueItems: false, default: null, required: [], enum: [], properties: {}, allOf: [] },
        "v3",
      ),
    ).toEqual({});
    expect(printedSchema({ minimum: 0, additionalProperties: false }, "v3")).toEqual({ minimum: 0, additionalProperties: false });
  });

  it("contain defaults with sorted keys, in v3 only", () => {
    expect(JSON.stringify(printedSchema({ default: { b: 1, a: null } }, "v3"))).toBe('{"default":{"a":null,"b":1}}');
    expect(printedSchema({ default: 1 }, "v2")).toEqual({});
  });

  it("may have a property such as toString", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as object;
    expect(JSON.stringify(printedSchema(schema, "v3"))).toBe('{"properties":{"__proto__":{"type":"string"}}}');
  });

  it("expand int-or-string in v3 unless the author did", () => {
    const either = [{ type: "integer" }, { type: "string" }];
    expect(supportedSchema({ "x-kubernetes-int-or-string": true }, "v3").anyOf).toEqual(either);
    expect(supportedSchema({ "x-kubernetes-int-or-string": true, anyOf: [{ minimum: 1 }] }, "v3")).toMatchObject({
      anyOf: [{ minimum: 1 }],
      allOf: [{ anyOf: either }],
    });
    expect(supportedSchema({ "x-kubernetes-int-or-string": true, anyOf: either }, "v3")).not.toHaveProperty("allOf");
    expect(supportedSchema({ "x-kubernetes-int-or-string": true, allOf: [{ anyOf: either }] }, "v3")).not.toHaveProperty("anyOf");
  });

  it("drop keywords that v2 does not support", () => {
    expect(supportedSchema({ type: "object", allOf: [{}], oneOf: [{}], anyOf: [{}], not: {}, title: "T" }, "v2")).toEqual({
      type: "object",
      title: "T",
    });
  });

  it("list no fields of nullable or free-form objects in v2", () => {
    const properties = { a: { type: "string" } };
    expect(supportedSchema({ type: "object", nullable: true, properties }, "v2")).toEqual({});
    expect(supportedSchema({ type: "object", "x-kubernetes-preserve-unknown-fields": true, properties }, "v2")).toEqual({
      "x-kubernetes-preserve-unknown-fields": true,
    });
    expect(supportedSchema({ type: "array", "x-kubernetes-preserve-unknown-fields": true, items: {} }, "v2")).toEqual({
      "x-kubernetes-preserve-unknown-fields": true,
    });
  });

  it("do not require nullable fields in v2", () => {
    expect(supportedSchema({ type: "object", required: ["a", "b"], properties: { a: { nullable: true }, b: {} } }, "v2").required).toEqual([
      "b",
    ]);
    expect(supportedSchema({ type: "object", required: ["a"], additionalProperties: { nullable: true } }, "v2")).not.toHaveProperty(
      "required",
    );
  });
});
