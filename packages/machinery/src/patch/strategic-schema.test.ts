import { definedOnly } from "../json/defined-only.ts";
import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import { goKind, listField, objectField } from "./strategic-schema.ts";

const list = (strategy: string, mergeKey?: string): Schema => ({
  type: "array",
  items: { type: "object", properties: {} },
  "x-kubernetes-patch-strategy": strategy,
  ...definedOnly({ "x-kubernetes-patch-merge-key": mergeKey }),
});
const schema: Schema = {
  type: "object",
  title: "Thing",
  properties: {
    plain: { type: "object", properties: {} },
    map: { type: "object", additionalProperties: { type: "string" } },
    merged: list("merge", "name"),
    retained: list("retainKeys,merge", "name"),
    odd: list("a,b"),
    odder: list("merge,replace,retainKeys"),
    nested: { type: "array", items: { type: "array", items: {} } },
  },
};

describe("objectField and listField", () => {
  it("return strategy and merge key, and the schema of items for lists", () => {
    expect(objectField(schema, "plain")).toEqual({ schema: schema.properties?.["plain"], strategy: "", retainKeys: false, mergeKey: "" });
    expect(listField(schema, "merged")).toMatchObject({
      strategy: "merge",
      retainKeys: false,
      mergeKey: "name",
      schema: { type: "object" },
    });
    expect(listField(schema, "retained")).toMatchObject({ strategy: "merge", retainKeys: true });
  });

  it("ignore case, as Go's decoder does", () => expect(listField(schema, "MERGED").mergeKey).toBe("name"));

  it.each([
    ["bogus", 'unable to find api field in struct Thing for the json field "bogus"'],
    ["toString", 'unable to find api field in struct Thing for the json field "toString"'],
    ["odd", "unexpected patch strategy: [a b]"],
    ["odder", "unexpected patch strategy: [merge replace retainKeys]"],
    ["plain", "expected slice or array type, but got: struct"],
    ["nested", "unexpected slice of slice"],
  ])("reject a list at %j in upstream's words", (name, message) => expect(() => listField(schema, name)).toThrow(message));

  it("find no field in maps", () => {
    expect(() => objectField(schema.properties?.["map"] ?? {}, "x")).toThrow(
      "merging an object in json but data type is not struct, instead is: map",
    );
  });

  it("know the Go type of a schema", () => {
    const schemas: Schema[] = [
      {},
      { type: "array" },
      { type: "string" },
      { type: "boolean" },
      { type: "integer", format: "int32" },
      { type: "integer" },
      { type: "number" },
      { type: "object", additionalProperties: true },
      { type: "object", additionalProperties: false },
    ];
    expect(schemas.map(goKind)).toEqual(["struct", "slice", "string", "bool", "int32", "int64", "float64", "map", "struct"]);
  });
});
