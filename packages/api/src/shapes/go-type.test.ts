import { describe, expect, it } from "vitest";
import { parseGoFields, parseGoType, zeroOfOwn } from "./go-type.ts";

describe("parseGoType", () => {
  it("parses types as Go writes them", () => {
    expect(parseGoType("[]*core/v1.Pod")).toEqual({
      kind: "list",
      item: { kind: "pointer", item: { kind: "named", name: "core/v1.Pod" } },
    });
    expect(parseGoType("map[ResourceName]@Quantity")).toEqual({
      kind: "map",
      key: { kind: "named", name: "ResourceName" },
      item: { kind: "own", name: "Quantity" },
    });
    expect([parseGoType("[]uint8"), parseGoType("int32")]).toEqual([{ kind: "bytes" }, { kind: "scalar", name: "int32" }]);
  });
});

describe("parseGoFields", () => {
  it("parses name, mark, type and number of each field", () => {
    expect(parseGoFields("Base>b.Base when&@Time#4 HostPID=hostPID:bool").map(({ name, mark, number }) => [name, mark, number])).toEqual([
      ["Base", ">", undefined],
      ["when", "&", 4],
      ["HostPID=hostPID", ":", undefined],
    ]);
    expect(parseGoFields("")).toEqual([]);
  });
});

describe("zeroOfOwn", () => {
  it("returns what Go writes for a zero value", () => {
    expect((["Quantity", "IntOrString", "JSONSchemaPropsOrBool", "Time", "JSON"] as const).map(zeroOfOwn)).toEqual([
      "0",
      0,
      false,
      null,
      null,
    ]);
  });
});
