import type { JsonValue } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { metadataSchema, typeSchema } from "./type-schema.ts";

describe("typeSchema", () => {
  it("keeps what types depend on, and nothing else", () => {
    expect(
      typeSchema(
        {
          type: "object",
          title: "x",
          maxProperties: 3,
          required: ["a"],
          properties: { a: { type: "string", pattern: "x", nullable: true, default: "y" }, b: { enum: ["x", 1] } },
        },
        "W",
      ),
    ).toEqual({
      type: "object",
      required: ["a"],
      properties: { a: { type: "string", nullable: true, default: "y", required: [] }, b: { enum: ["x", 1], required: [] } },
    });
  });

  it("drops keywords with values of the wrong type", () => {
    expect(
      typeSchema(
        {
          type: ["string"],
          description: 7,
          required: "a",
          nullable: "yes",
          enum: [{}],
          properties: [1],
          items: [{}],
          additionalProperties: false,
          default: null,
        },
        "W",
      ),
    ).toEqual({ required: [], items: {} });
    expect([typeSchema(undefined, "W"), typeSchema("x", "W"), typeSchema({ properties: { a: 5 } }, "W").properties?.["a"]]).toEqual([
      {},
      {},
      {},
    ]);
    expect(typeSchema({ type: "object", properties: {} }, "W").properties).toBeUndefined();
  });

  it("keeps fields with any name", () => {
    const properties = JSON.parse('{"__proto__": {"type": "string"}, "constructor": {"type": "string"}, "": {}}') as JsonValue;
    const cut = typeSchema({ type: "object", properties }, "W").properties ?? {};
    expect(Object.keys(cut).toSorted()).toEqual(["", "__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["type"]).toBeUndefined();
  });

  it("adds the identity fields to embedded resources", () => {
    const cut = typeSchema(
      { type: "object", "x-kubernetes-embedded-resource": true, properties: { metadata: { type: "object" }, spec: { type: "string" } } },
      "W",
    );
    expect([Object.keys(cut.properties ?? {}).toSorted(), cut.required, cut.properties?.["metadata"]]).toEqual([
      ["apiVersion", "kind", "metadata", "spec"],
      ["apiVersion", "kind"],
      metadataSchema,
    ]);
  });

  it("keeps shared parts shared", () => {
    const shared = { type: "object", properties: { a: { type: "string" } } };
    const { properties = {} } = typeSchema({ type: "object", properties: { x: shared, y: { type: "array", items: shared } } }, "W");
    expect(properties["x"]).toBe(properties["y"]?.items);
  });

  it("throws for a schema that contains itself or is nested too deeply", () => {
    const node: Record<string, unknown> = { type: "object" };
    node["properties"] = { list: { type: "array", items: node } };
    expect(() => typeSchema(node as JsonValue, "W")).toThrow("W.list[]: the schema contains itself");
    let deep: JsonValue = { type: "string" };
    for (let level = 0; level < 10_000; level++) deep = { type: "array", items: deep };
    expect(() => typeSchema(deep, "W")).toThrow("nested more than 200 levels deep");
  });

  it("accepts any value without throwing", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        expect(typeof typeSchema({ type: "object", properties: { a: value as JsonValue }, items: value as JsonValue }, "W")).toBe("object");
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) },
    );
  });
});
