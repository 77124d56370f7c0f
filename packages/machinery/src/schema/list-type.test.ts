import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { JsonValue } from "../json/json-value.ts";
import { compileSchema } from "./compiled-schema.ts";
import { validateListTypes } from "./list-type.ts";

const schema = compileSchema({
  type: "object",
  properties: {
    set: { type: "array", "x-kubernetes-list-type": "set", items: {} },
    map: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", properties: { inner: { type: "array", "x-kubernetes-list-type": "set", items: {} } } },
    },
  },
});
const texts = (value: JsonValue, old?: JsonValue): string[] => validateListTypes(value, schema, { old }).map(printFieldError);

describe("validateListTypes", () => {
  it("reports the second occurrence of a duplicate", () => {
    expect(texts({ set: ["a", "b", "a", "a", "b"] })).toEqual(['set[2]: Duplicate value: "a"', 'set[4]: Duplicate value: "b"']);
    expect(texts({ set: [1, "1", 1n, null, "null", { a: 1, b: 2 }, { b: 2, a: 1 }] })).toEqual([
      "set[2]: Duplicate value: 1",
      'set[6]: Duplicate value: {"a":1,"b":2}',
    ]);
    expect(texts({ map: [{ k: "1" }, { k: 1 }, { k: "1", x: 1 }] })).toEqual(['map[2]: Duplicate value: {"k":"1"}']);
  });

  it("treats items without their key, and null, as equal", () => {
    expect(texts({ map: [{}, null, { k: null }] })).toEqual(["map[1]: Duplicate value: {}"]);
  });

  it("requires objects in a map list", () => {
    expect(texts({ map: [{}, 5, {}] })).toEqual(["map[1]: Invalid value: 5: must be an object for an array of list-type map"]);
  });

  it("descends into items and everything below", () => {
    expect(texts({ map: [{ k: "a", inner: [1, 1] }] })).toEqual(["map[0].inner[1]: Duplicate value: 1"]);
  });

  it("ignores existing duplicates on updates", () => {
    expect(texts({ set: [1, 1] }, { map: [{}, {}] })).toEqual([]);
    expect(texts({ set: [1, 1] }, { set: [1] })).toEqual(["set[1]: Duplicate value: 1"]);
  });
});
