import { describe, expect, it } from "vitest";
import { compileSchema } from "./compiled-schema.ts";
import type { Schema } from "./schema.ts";
import { validate } from "./validate.ts";

describe("compileSchema", () => {
  it("accepts a recursive schema", () => {
    const tree: { type: string; properties: Record<string, Schema> } = { type: "object", properties: { value: { type: "integer" } } };
    tree.properties["left"] = tree;
    const compiled = compileSchema(tree);
    expect(compiled.properties.get("left")).toBe(compiled);
    expect(validate({ left: { left: { value: "x" } } }, compiled).map(({ field }) => field)).toEqual(["left.left.value"]);
  });

  it("knows what can occur below, through recursion too", () => {
    const set: Schema = { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } };
    const node: { type: string; properties: Record<string, Schema> } = { type: "object", properties: {} };
    node.properties["child"] = { type: "object", properties: { node, plain: { type: "string" } } };
    node.properties["set"] = set;
    const compiled = compileSchema(node);
    expect(compiled.holdsKeyedLists).toBe(true);
    expect(compiled.properties.get("child")?.holdsKeyedLists).toBe(true);
    expect(compiled.properties.get("child")?.properties.get("plain")?.holdsKeyedLists).toBe(false);
    expect(compileSchema({ type: "object", allOf: [{ properties: { a: set } }] }).holdsKeyedLists).toBe(false);
  });

  it("gives int-or-string two types for values and none for defaults", () => {
    const schema: Schema = { "x-kubernetes-int-or-string": true };
    expect(compileSchema(schema).types).toEqual(["integer", "string"]);
    expect(compileSchema(schema, { purpose: "default" }).types).toEqual([]);
  });

  it("accepts hostile property names", () => {
    const compiled = compileSchema({
      type: "object",
      properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as Record<string, Schema>,
    });
    expect([...compiled.properties.keys()]).toEqual(["__proto__", "constructor"]);
    expect(compiled.properties.get("toString")).toBeUndefined();
    expect(validate(JSON.parse('{"__proto__":5}') as never, compiled).map(({ field }) => field)).toEqual(["__proto__"]);
  });
});
