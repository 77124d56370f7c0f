import { describe, expect, it } from "vitest";
import { ShapeBook } from "./shape-book.ts";

const book = new ShapeBook([
  {
    path: "a/v1",
    group: "a.io",
    version: "v1",
    goName: "v1",
    kinds: "Thing ThingList",
    types: {
      Thing: "Base>b.Base size:int32 names?[]Name parts?map[Name]Part when&@Time data?[]uint8 limit?*int64 list?Names",
      Name: "=string",
      Names: "=[]Name",
      Part: "inner?*Part amount:@Quantity",
    },
  },
  { path: "b", group: "", version: "", goName: "bb", kinds: "", types: { Base: "kind?string" } },
]);
const thing = book.registered({ group: "a.io", version: "v1", kind: "Thing" })?.shape;

describe("ShapeBook", () => {
  it("inlines the fields of an embedded struct, with their path", () => {
    expect(thing?.fields.map(({ name, path }) => [name, path.join(".")])).toEqual([
      ["kind", "Base.kind"],
      ["size", "size"],
      ["names", "names"],
      ["parts", "parts"],
      ["when", "when"],
      ["data", "data"],
      ["limit", "limit"],
      ["list", "list"],
    ]);
  });
  it("numbers protobuf fields, and keeps a numbered embedded struct as a message", () => {
    const numbered = new ShapeBook([
      {
        path: "a/v1",
        group: "",
        version: "v1",
        goName: "v1",
        kinds: "Thing",
        types: {
          Thing: "TypeMeta>TypeMeta Inner>Inner#4 first:string#2 second?string lost:string#0 third:string#1",
          TypeMeta: "kind?string",
          Inner: "deep:string",
        },
      },
    ]).registered({ group: "", version: "v1", kind: "Thing" })?.shape;
    expect(numbered?.message.map((part) => [part.number, "field" in part ? part.field.name : part.embedded.goName])).toEqual([
      [1, "third"],
      [2, "first"],
      [3, "second"],
      [4, "Inner"],
    ]);
    expect(numbered?.fields.map(({ name }) => name)).toEqual(["kind", "deep", "first", "second", "lost", "third"]);
  });
  it("prints types as Go does", () => {
    expect(thing?.fields.map(({ shape }) => `${shape.kind} ${shape.goType}`)).toEqual([
      "string string",
      "int32 int32",
      "list []v1.Name",
      "map map[v1.Name]v1.Part",
      "own v1.Time",
      "bytes []uint8",
      "int64 int64",
      "list v1.Names",
    ]);
  });
  it("knows which fields are pointers and when they are omitted", () => {
    expect(["size", "limit", "when"].map((name) => thing?.field(name)).map((field) => [field?.pointer, field?.omit])).toEqual([
      [false, "never"],
      [true, "empty"],
      [false, "empty-or-zero"],
    ]);
  });
  it("resolves recursive types", () => {
    const parts = thing?.field("parts")?.shape;
    const part = parts?.kind === "map" ? parts.item : undefined;
    expect(part?.kind === "struct" && part.field("inner")?.shape === part).toBe(true);
  });
  it("knows list kinds without a shape, and no other kinds", () => {
    expect(book.registered({ group: "a.io", version: "v1", kind: "ThingList" })).toEqual({ goType: "v1.ThingList", shape: undefined });
    expect(book.registered({ group: "a.io", version: "v2", kind: "Thing" })).toBeUndefined();
  });
  it("names a type that no table has", () => {
    const broken = new ShapeBook([{ path: "a/v1", group: "", version: "v1", goName: "v1", kinds: "Thing", types: { Thing: "x:Missing" } }]);
    expect(() => broken.registered({ group: "", version: "v1", kind: "Thing" })?.shape?.fields).toThrow(
      "a/v1: no table has the type Missing",
    );
  });
});
