import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ShapeBook } from "@drover/api/shapes";
import type { StructShape } from "@drover/api/shapes";
import { newTally } from "./tally.ts";
import type { Tally } from "./tally.ts";
import { writeStruct } from "./write-typed.ts";

const book = new ShapeBook([
  {
    path: "a/v1",
    group: "",
    version: "v1",
    goName: "v1",
    kinds: "Thing",
    types: {
      Thing:
        "name:string alias?string count:int32 big?int64 share?float64 on?bool limit?*int32 inner?Inner other?*Inner list:[]string items?[]Inner map?map[string]Inner must:map[string]string data?[]uint8 when:@Time since&@Time numbers?[]int64",
      Inner: "x?int32 y:*string",
    },
  },
]);
const thing = book.registered({ group: "", version: "v1", kind: "Thing" })?.shape as StructShape;

function write(value: JsonObject): [JsonObject, Tally] {
  const tally = newTally();
  return [writeStruct(value, thing, tally), tally];
}

const zero = { name: "", count: 0, inner: { y: null }, list: null, must: null, when: null };

describe("writeStruct", () => {
  it("writes the zero value of absent and null fields unless they are omitted", () => {
    expect(write({})[0]).toEqual(zero);
    expect(write({ name: null, alias: null, limit: null, inner: null, other: null, items: null, when: null, since: null })[0]).toEqual(
      zero,
    );
  });
  it("omits empty fields, and keeps empty values behind a pointer", () => {
    expect(write({ alias: "", big: 0, share: 0, on: false, items: [], map: {}, data: "" })[0]).toEqual(zero);
    expect(write({ limit: 0, other: {}, list: [], must: {} })[0]).toEqual({ ...zero, limit: 0, other: { y: null }, list: [], must: {} });
  });
  it("writes zero values for nulls in lists and maps", () => {
    expect(write({ list: [null], items: [null], map: { a: null } })[0]).toEqual({
      ...zero,
      list: [""],
      items: [{ y: null }],
      map: { a: { y: null } },
    });
  });
  it("writes fields in the order of the type", () => {
    expect(Object.keys(write({ when: null, limit: 1, on: true, name: "a" })[0])).toEqual([
      "name",
      "count",
      "on",
      "limit",
      "inner",
      "list",
      "must",
      "when",
    ]);
  });
  it("writes empty lists and maps as absent for the store, except behind a pointer", () => {
    expect(writeStruct({ list: [], must: {}, items: [], map: {}, other: {} }, thing, newTally({ isStoring: true }))).toEqual({
      ...zero,
      other: { y: null },
    });
  });
  it("writes a null bytes entry as empty bytes for the store", () => {
    const bytes: StructShape = {
      kind: "struct",
      name: "T",
      fields: [{ name: "data", shape: { kind: "map", item: { kind: "bytes" } }, pointer: false, omit: "empty" }],
    } as unknown as StructShape;
    expect(writeStruct({ data: { a: null } }, bytes, newTally())).toEqual({ data: { a: null } });
    expect(writeStruct({ data: { a: null } }, bytes, newTally({ isStoring: true }))).toEqual({ data: { a: "" } });
  });
  it("counts every key, including those of maps", () => {
    expect(write({ name: "a", inner: { x: 1 }, map: { a: { x: 1 }, b: {} } })[1]).toEqual({
      keys: 7,
      surprised: false,
      listedIntegers: false,
      quantities: false,
      emptiedMap: false,
      isStoring: false,
    });
  });
  it("never writes a negative zero", () => {
    expect(Object.is(write({ count: -0 })[0]["count"], 0)).toBe(true);
    expect(Object.is(write({ limit: -0 })[0]["limit"], 0)).toBe(true);
  });
  it("marks lists of integers, whose text must be checked", () => {
    expect(write({ numbers: [1] })[1].listedIntegers).toBe(true);
    expect(write({ numbers: [] })[1].listedIntegers).toBe(false);
  });
  it("marks 64-bit values in 32-bit fields as a surprise", () => {
    expect(write({ count: 5n })[1].surprised).toBe(true);
    expect(write({ big: 2n ** 60n })[0]["big"]).toBe(2n ** 60n);
  });
  it.each<[JsonObject]>([
    [{ bogus: 1 }],
    [{ name: 1 }],
    [{ count: "1" }],
    [{ count: 1.5 }],
    [{ count: 2147483648 }],
    [{ big: 2 ** 60 }],
    [{ on: "true" }],
    [{ inner: [] }],
    [{ inner: "x" }],
    [{ list: {} }],
    [{ list: "x" }],
    [{ list: [1] }],
    [{ map: [] }],
    [{ map: { a: 1 } }],
    [{ data: "YQ" }],
    [{ data: [1] }],
    [{ when: 1 }],
    [{ when: "today" }],
    [{ other: { bogus: 1 } }],
    [{ share: "1" }],
    [JSON.parse('{"__proto__":1}') as JsonObject],
  ])("marks %j as a surprise", (value) => {
    expect(write(value)[1].surprised).toBe(true);
  });
});
