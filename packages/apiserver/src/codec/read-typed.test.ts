import { describe, expect, it } from "vitest";
import { readTyped } from "./read-typed.ts";
import { ShapeBook } from "@drover/api/shapes";
import type { StructShape } from "@drover/api/shapes";

const book = new ShapeBook([
  {
    path: "a/v1",
    group: "",
    version: "v1",
    goName: "v1",
    kinds: "Thing",
    types: {
      Thing:
        "name:string count:int32 share?float64 inner?Inner other?*Inner limit?*int32 list:[]Inner names?[]string map?map[string]Inner port?@IntOrString when&@Time data?[]uint8",
      Inner: "x?int32 y?string",
    },
  },
]);
const thing = book.registered({ group: "", version: "v1", kind: "Thing" })?.shape as StructShape;
const read = (text: string): unknown => readTyped(text, thing).value;
const problems = (text: string): readonly string[] => readTyped(text, thing).problems;

describe("readTyped", () => {
  it("keeps only fields of the type", () => {
    expect(read(' { "name" : "a" , "bogus" : [ {} ] , "list" : [ { "x" : 1 , "z" : 2 } ] } ')).toEqual({ name: "a", list: [{ x: 1 }] });
  });
  it("reads null as absent for pointers, and otherwise ignores it", () => {
    expect(
      read(
        '{"name":"a","name":null,"limit":5,"limit":null,"names":["a"],"names":null,"inner":{"x":1},"inner":null,"other":{},"other":null}',
      ),
    ).toEqual({ name: "a", inner: { x: 1 } });
  });
  it("merges duplicate members, including list items, but not map values", () => {
    expect(read('{"inner":{"x":1},"inner":{"y":"b"},"other":{"x":2},"other":{"y":"c"}}')).toEqual({
      inner: { x: 1, y: "b" },
      other: { x: 2, y: "c" },
    });
    expect(read('{"list":[{"x":1},{"x":2}],"list":[{"y":"b"}]}')).toEqual({ list: [{ x: 1, y: "b" }] });
    expect(read('{"map":{"a":{"x":1},"b":{"x":2}},"map":{"a":{"y":"c"}}}')).toEqual({ map: { a: { y: "c" }, b: { x: 2 } } });
    expect(read('{"port":5,"port":null}')).toEqual({ port: 5 });
    expect(read('{"port":"http","port":null}')).toEqual({ port: 0 });
  });
  it("reports unknown and duplicate members with their path", () => {
    expect(problems('{"a":1,"inner":{"x":1,"x":2},"list":[{},{"z":1}],"map":{"k":{},"k":{"w":1}},"a":2}')).toEqual([
      'unknown field "a"',
      'duplicate field "inner.x"',
      'unknown field "list[1].z"',
      'duplicate field "map.k"',
      'unknown field "map.k.w"',
    ]);
    expect(problems('{"\\"":1}')).toEqual([String.raw`unknown field "\""`]);
  });
  it("reports the first mismatch, but failures of own unmarshallers before it", () => {
    expect(() => read('{"name":5,"count":"x"}')).toThrow("json: cannot unmarshal number into Go struct field Thing.name of type string");
    expect(() => read('{"name":5,"when":true}')).toThrow("json: cannot unmarshal bool into Go struct field Thing.when of type string");
    expect(() => read("[]")).toThrow("json: cannot unmarshal array into Go value of type v1.Thing");
  });
  it("reports numbers out of range as written", () => {
    for (const number of ["1.0", "1e0", "2147483648", "-2147483649", "99999999999999999999999"])
      expect(() => read(`{"count":${number}}`)).toThrow(`cannot unmarshal number ${number} into Go struct field Thing.count of type int32`);
    expect(() => read('{"share":1e400}')).toThrow("cannot unmarshal number 1e400 into Go struct field Thing.share of type float64");
    expect(read('{"count":-0,"share":1.50}')).toEqual({ count: 0, share: 1.5 });
  });
  it("reads bytes from a list of numbers", () => {
    expect(read('{"data":[97,null]}')).toEqual({ data: "YQA=" });
    for (const [item, found] of [
      ["256", "number 256"],
      ["-1", "number -1"],
      ["1.0", "number 1.0"],
      ['"a"', "string"],
      ["[]", "array"],
    ])
      expect(() => read(`{"data":[${item}]}`)).toThrow(`cannot unmarshal ${found} into Go struct field Thing.data of type uint8`);
  });
  it("matches field names case-insensitively only on request", () => {
    expect(readTyped('{"NAME":"a"}', thing, { foldsNames: true }).value).toEqual({ name: "a" });
    expect(readTyped('{"NAME":"a"}', thing).value).toEqual({});
  });
});
