import type { JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { compare, printDifference } from "./compare.ts";
import type { Exchange } from "./exchange.ts";

const step = (body: JsonValue): Exchange => ({ request: "GET /x", status: 200, headers: {}, body });

describe("compare", () => {
  it("finds nothing when only the order of keys differs", () => {
    expect(compare([step({ a: 1, b: { c: 2 } })], [step({ b: { c: 2 }, a: 1 })])).toEqual([]);
  });

  it("names step, request and place of each difference", () => {
    expect(compare([step({ a: [1, { b: "x" }] })], [step({ a: [1, { b: "y" }] })])).toEqual([
      { at: "1 GET /x: body.a[1].b", expected: "x", actual: "y" },
    ]);
  });

  it("tells a missing member from one that is null", () => {
    expect(compare([step({ a: null })], [step({})])).toEqual([{ at: "1 GET /x: body.a", expected: null, actual: undefined }]);
  });

  it("tells an empty list from an empty object and from nothing", () => {
    expect(compare([step([])], [step({})])).toHaveLength(1);
    expect(compare([step([])], [step(null)])).toHaveLength(1);
  });

  it("finds items that only one side has", () => {
    expect(compare([step([1])], [step([1, 2])])).toEqual([{ at: "1 GET /x: body[1]", expected: undefined, actual: 2 }]);
    expect(compare([step([1, 2])], [step([1])])).toEqual([{ at: "1 GET /x: body[1]", expected: 2, actual: undefined }]);
  });

  it("reports every step that one side lacks", () => {
    expect(compare([step(1), { fact: "f", value: true }], [step(1)]).map(({ at }) => at)).toEqual(["2 f: "]);
    expect(compare([], [step(1)]).map(({ at }) => at)).toEqual(["1 GET /x: "]);
  });

  it("is not fooled by keys of Object.prototype", () => {
    expect(compare([step({})], [step(JSON.parse('{"__proto__":1,"constructor":2}') as JsonValue)]).map(({ at }) => at)).toEqual([
      "1 GET /x: body.__proto__",
      "1 GET /x: body.constructor",
    ]);
  });
});

describe("printDifference", () => {
  it("shows both sides, and shortens long values", () => {
    expect(printDifference({ at: "1 GET /x: body", expected: undefined, actual: "y".repeat(2000) })).toMatch(
      /^ {2}1 GET \/x: body\n {4}real nothing\n {4}ours "y{599}… \(2002 characters\)$/,
    );
  });
});
