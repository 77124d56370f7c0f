import { describe, expect, it } from "vitest";
import { printedSchema, supportedSchema } from "./custom-schema.ts";

describe("a schema on its way into a document", () => {
  it("has its keywords in the order of Go, and its properties sorted", () => {
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

  it("leaves out what says nothing", () => {
    expect(
      printedSchema(
        { description: "", nullable: false, uniqueItems: false, default: null, required: [], enum: [], properties: {}, allOf: [] },
        "v3",
      ),
    ).toEqual({});
    expect(printedSchema({ minimum: 0, additionalProperties: false }, "v3")).toEqual({ minimum: 0, additionalProperties: false });
  });

  it("has defaults only in v3, with their keys sorted", () => {
    expect(JSON.stringify(printedSchema({ default: { b: 1, a: null } }, "v3"))).toBe('{"default":{"a":null,"b":1}}');
    expect(printedSchema({ default: 1 }, "v2")).toEqual({});
  });

  it("may name a property that objects inherit", () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as object;
    expect(JSON.stringify(printedSchema(schema, "v3"))).toBe('{"properties":{"__proto__":{"type":"string"}}}');
  });

  it("says in v3 what int-or-string means, unless its author does", () => {
    const either = [{ type: "integer" }, { type: "string" }];
    expect(supportedSchema({ "x-kubernetes-int-or-string": true }, "v3").anyOf).toEqual(either);
    expect(supportedSchema({ "x-kubernetes-int-or-string": true, anyOf: [{ minimum: 1 }] }, "v3")).toMatchObject({
      anyOf: [{ minimum: 1 }],
      allOf: [{ anyOf: either }],
    });
    expect(supportedSchema({ "x-kubernetes-int-or-string": true, anyOf: either }, "v3")).not.toHaveProperty("allOf");
    expect(supportedSchema({ "x-kubernetes-int-or-string": true, allOf: [{ anyOf: either }] }, "v3")).not.toHaveProperty("anyOf");
  });

  it("loses in v2 what v2 has no words for", () => {
    expect(supportedSchema({ type: "object", allOf: [{}], oneOf: [{}], anyOf: [{}], not: {}, title: "T" }, "v2")).toEqual({
      type: "object",
      title: "T",
    });
  });

  it("says in v2 nothing of fields that may be null or anything", () => {
    const properties = { a: { type: "string" } };
    expect(supportedSchema({ type: "object", nullable: true, properties }, "v2")).toEqual({});
    expect(supportedSchema({ type: "object", "x-kubernetes-preserve-unknown-fields": true, properties }, "v2")).toEqual({
      "x-kubernetes-preserve-unknown-fields": true,
    });
    expect(supportedSchema({ type: "array", "x-kubernetes-preserve-unknown-fields": true, items: {} }, "v2")).toEqual({
      "x-kubernetes-preserve-unknown-fields": true,
    });
  });

  it("requires in v2 nothing that may be null", () => {
    expect(supportedSchema({ type: "object", required: ["a", "b"], properties: { a: { nullable: true }, b: {} } }, "v2").required).toEqual([
      "b",
    ]);
    expect(supportedSchema({ type: "object", required: ["a"], additionalProperties: { nullable: true } }, "v2")).not.toHaveProperty(
      "required",
    );
  });
});
