import { describe, expect, it } from "vitest";
import { KindSchemas } from "./kind-schemas.ts";
import type { SchemaTable } from "./schema-table.ts";

const table: SchemaTable = {
  path: "a/v1",
  group: "a.example",
  version: "v1",
  kinds: ["One", "Missing"],
  definitions: { One: { type: "object" } },
};
const of = (group: string, version: string, kind: string) => ({ group, version, kind });

describe("KindSchemas", () => {
  it("returns the schema of a kind by its group, version and kind, the same object each time", () => {
    const schemas = new KindSchemas([table]);
    const one = schemas.of(of("a.example", "v1", "One"));
    expect(one).toEqual({ type: "object" });
    expect(schemas.of(of("a.example", "v1", "One"))).toBe(one);
  });

  it("has no schema for another version, for another group and for a kind without a definition", () => {
    const schemas = new KindSchemas([table]);
    expect(
      [of("a.example", "v2", "One"), of("b.example", "v1", "One"), of("a.example", "v1", "Missing")].map((kind) => schemas.of(kind)),
    ).toEqual([undefined, undefined, undefined]);
  });

  it("links its tables when it is first asked, not when it is created", () => {
    const wrong: SchemaTable = { ...table, definitions: { One: { items: { $ref: "Nowhere" } } } };
    const schemas = new KindSchemas([wrong]);
    expect(() => schemas.of(of("a.example", "v1", "One"))).toThrow('a/v1: the reference "Nowhere" leads nowhere');
  });
});
