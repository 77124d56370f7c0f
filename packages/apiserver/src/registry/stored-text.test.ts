import { decodeJson, isJsonObject } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonOf } from "../typed-object.ts";
import { encodeStored, markedVersion, markVersion, unmarked, withVersion } from "./stored-text.ts";

const label = fc.constantFrom("a", "b", "resourceVersion", "uid", "__proto__", '"resourceVersion":""');
const map = fc.dictionary(label, fc.constantFrom("", "x", '"resourceVersion":""'));
const object = fc.record(
  {
    metadata: fc.record(
      { name: fc.constant("n"), uid: fc.constant("u"), resourceVersion: fc.constant("1"), labels: map, annotations: map },
      { requiredKeys: ["name", "uid"] },
    ),
    spec: fc.dictionary(label, fc.jsonValue()),
  },
  { requiredKeys: ["metadata"] },
);

describe("encodeStored and withVersion", () => {
  it("round-trip every object once a version is inserted", () => {
    fc.assert(
      fc.property(object, fc.boolean(), fc.nat(), (given, isCustom, revision) => {
        const text = withVersion(encodeStored(jsonOf(given), { isCustom }), revision);
        const value = decodeJson(text);
        const expected = decodeJson(JSON.stringify({ ...given, metadata: { ...given.metadata, resourceVersion: String(revision) } }));
        expect(value).toEqual(expected);
      }),
    );
  });
  it("write metadata in struct order, and sort the keys of custom objects", () => {
    const given: JsonObject = {
      kind: "K",
      apiVersion: "v1",
      spec: { b: 1, a: 2 },
      metadata: { labels: {}, uid: "u", name: "n", generation: 1 },
    };
    expect(encodeStored(given, { isCustom: false })).toBe(
      '{"metadata":{"name":"n","uid":"u","resourceVersion":"","generation":1,"labels":{}},"spec":{"b":1,"a":2}}',
    );
    expect(encodeStored(given, { isCustom: true })).toBe(
      '{"metadata":{"generation":1,"labels":{},"name":"n","resourceVersion":"","uid":"u"},"spec":{"a":2,"b":1}}',
    );
  });
  it("replace lone surrogates and escape HTML", () => {
    const text = encodeStored({ metadata: {}, data: { a: "\ud800x", b: "<&>", c: String.raw`\ud800` } }, { isCustom: false });
    expect(text).toContain('"a":"\ufffdx","b":"\\u003c\\u0026\\u003e","c":"\\\\ud800"');
    expect(isJsonObject(decodeJson(text))).toBe(true);
  });
});

describe("the version in front of a custom object", () => {
  it("is read back, and removed without a trace", () => {
    const text = encodeStored({ metadata: { name: "a" }, apiVersion: "ex.io/v1", kind: "Box", aa: 1 }, { isCustom: true });
    const marked = markVersion(text, "ex.io/v1");
    expect([markedVersion(marked), unmarked(marked)]).toEqual(["ex.io/v1", text]);
    expect(JSON.parse(marked)).toEqual({ apiVersion: "ex.io/v1", ...(JSON.parse(text) as object) });
    expect([markedVersion(text), unmarked(text)]).toEqual([undefined, text]);
  });
});
