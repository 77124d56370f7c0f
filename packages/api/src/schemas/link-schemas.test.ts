import { describe, expect, it } from "vitest";
import { linkSchemas } from "./link-schemas.ts";
import type { SchemaNode, SchemaTable } from "./schema-table.ts";

const table = (path: string, definitions: Readonly<Record<string, SchemaNode>>): SchemaTable => ({
  path,
  group: path,
  version: "v1",
  kinds: [],
  definitions,
});

describe("linkSchemas", () => {
  it("turns references to one definition into one object, across tables", () => {
    const {
      "a/v1/One": one,
      "a/v1/Two": two,
      "b/v1/Part": part,
    } = linkSchemas([
      table("a/v1", { One: { properties: { part: { $ref: "b/v1/Part" } } }, Two: { items: { $ref: "b/v1/Part" } } }),
      table("b/v1", { Part: { type: "string" } }),
    ]);
    expect(one?.properties?.["part"]).toBe(part);
    expect(two?.items).toBe(part);
    expect(part).toEqual({ type: "string" });
  });

  it("adds siblings of a reference to a copy, and leaves the definition alone", () => {
    const linked = linkSchemas([
      table("a/v1", {
        One: {
          properties: { x: { $ref: "Part", default: {} }, y: { $ref: "Part", default: {} }, z: { $ref: "Part", default: { name: "z" } } },
        },
        Part: { type: "object", properties: { name: { type: "string" } } },
      }),
    ]);
    const { x, y, z } = linked["a/v1/One"]?.properties ?? {};
    expect(x).toEqual({ type: "object", properties: { name: { type: "string" } }, default: {} });
    expect(x).toBe(y);
    expect(z?.default).toEqual({ name: "z" });
    expect(z?.properties).toBe(linked["a/v1/Part"]?.properties);
    expect(linked["a/v1/Part"]?.default).toBeUndefined();
  });

  it("separates definitions of the same name in two tables", () => {
    const definitions = (type: string): Readonly<Record<string, SchemaNode>> => ({
      One: { items: { $ref: "Part", default: "" } },
      Part: { type },
    });
    const linked = linkSchemas([table("a/v1", definitions("string")), table("b/v1", definitions("integer"))]);
    expect([linked["a/v1/One"]?.items?.type, linked["b/v1/One"]?.items?.type]).toEqual(["string", "integer"]);
  });

  it("closes cycles, also through a copy", () => {
    const linked = linkSchemas([
      table("a/v1", {
        Tree: {
          type: "object",
          properties: { left: { $ref: "Tree" }, right: { $ref: "Tree", default: {} } },
          additionalProperties: { type: "array", items: { $ref: "Tree" } },
        },
      }),
    ]);
    const tree = linked["a/v1/Tree"];
    expect(tree?.properties?.["left"]).toBe(tree);
    expect(tree?.properties?.["right"]?.properties).toBe(tree?.properties);
    expect(typeof tree?.additionalProperties === "object" && tree.additionalProperties.items).toBe(tree);
  });

  it("freezes its results", () => {
    const linked = linkSchemas([
      table("a/v1", {
        One: {
          required: ["x"],
          properties: { x: { type: "string", default: { deep: [] }, enum: ["a"] }, y: { $ref: "One", default: {} } },
        },
      }),
    ]);
    const { x, y } = linked["a/v1/One"]?.properties ?? {};
    for (const part of [
      linked,
      linked["a/v1/One"],
      linked["a/v1/One"]?.required,
      linked["a/v1/One"]?.properties,
      x,
      x?.enum,
      (x?.default as { deep: unknown } | undefined)?.deep,
      y,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it("accepts fields of any name", () => {
    const properties = JSON.parse(`{"__proto__": {"$ref": "Part"}, "constructor": {"type": "string"}}`) as Record<string, SchemaNode>;
    const linked = linkSchemas([table("a/v1", { One: { properties }, Part: { type: "boolean" } })]);
    const { properties: followed = {} } = linked["a/v1/One"] ?? {};
    expect(Object.keys(followed)).toEqual(["__proto__", "constructor"]);
    expect(Object.getOwnPropertyDescriptor(followed, "__proto__")?.value).toBe(linked["a/v1/Part"]);
    expect(Object.getPrototypeOf(followed)).toBe(Object.prototype);
  });

  it("rejects a dangling reference, naming both ends", () => {
    expect(() => linkSchemas([table("a/v1", { One: { items: { $ref: "b/v1/None" } } })])).toThrow(
      'a/v1: the reference "b/v1/None" leads nowhere',
    );
  });
});
