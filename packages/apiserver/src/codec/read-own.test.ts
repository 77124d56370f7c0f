import type { JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { readOwn } from "./read-own.ts";
import { readTyped } from "./read-typed.ts";
import { StructShape } from "@drover/api/shapes";
import type { OwnName } from "@drover/api/shapes";

const schema = new StructShape("v1.Props", "Props", () => ({
  fields: [{ name: "type", shape: { kind: "string", goType: "string" }, pointer: false, omit: "empty", path: ["type"] }],
  message: [],
}));
const read = (name: OwnName, raw: string, old?: JsonValue): unknown =>
  readOwn(raw, { kind: "own", goType: name, name, schema }, old, (inner, shape) => readTyped(inner, shape).value);

describe("readOwn", () => {
  it("reads a quantity with or without quotes, and null as none", () => {
    expect(["1.50", '"1.50"', "1e3", '" 2 "'].map((raw) => read("Quantity", raw))).toEqual(["1500m", "1500m", "1e3", "2"]);
    expect(read("Quantity", "null", "5")).toBeUndefined();
    expect(() => read("Quantity", String.raw`"\u0031"`)).toThrow(/quantities must match|unable to parse/);
  });
  it("reads times from strings only", () => {
    expect(read("Time", '"2020-01-01T00:00:00+01:00"')).toBe("2019-12-31T23:00:00Z");
    expect(read("Time", "null", "2020-01-01T00:00:00Z")).toBeUndefined();
    for (const [raw, word] of [
      ["5", "number"],
      ["true", "bool"],
      ["{}", "object"],
      ["[]", "array"],
    ] as const)
      expect(() => read("MicroTime", raw)).toThrow(`json: cannot unmarshal ${word} into Go value of type string`);
  });
  it("reads IntOrString as 32-bit integer or string", () => {
    expect(read("IntOrString", "-2147483648")).toBe(-2147483648);
    for (const raw of ["1.0", "1e2", "2147483648"])
      expect(() => read("IntOrString", raw)).toThrow(`json: cannot unmarshal number ${raw} into Go value of type int32`);
    expect(() => read("IntOrString", "[]")).toThrow("json: cannot unmarshal array into Go value of type int32");
  });
  it("reads any raw value, and ignores null", () => {
    expect(read("RawExtension", '{"a":[1]}')).toEqual({ a: [1] });
    expect(read("JSON", "null", 5)).toBe(5);
  });
  it("reads a schema only from an object", () => {
    expect(read("JSONSchemaPropsOrBool", '{"type":"a","x":1}')).toEqual({ type: "a" });
    for (const raw of ["null", '"x"', "1", "[]"])
      expect(() => read("JSONSchemaPropsOrBool", raw)).toThrow("boolean or JSON schema expected");
    expect(read("JSONSchemaPropsOrArray", '[{"type":"a"}]')).toEqual([{ type: "a" }]);
    expect(read("JSONSchemaPropsOrStringArray", '["a"]')).toEqual(["a"]);
    expect(["null", '"x"', "1"].map((raw) => read("JSONSchemaPropsOrArray", raw))).toEqual([undefined, undefined, undefined]);
    expect(() => read("JSONSchemaPropsOrArray", "[5]")).toThrow("json: cannot unmarshal number into Go value of type v1.Props");
  });
});
