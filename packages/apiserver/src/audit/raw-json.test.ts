import { decodeJson } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compactJson, withoutManagedFields } from "./raw-json.ts";

describe("compactJson", () => {
  it("removes white space between tokens and keeps numbers and strings as they were written", () => {
    expect(compactJson('{\n  "a b" : [ 1.0, 9007199254740993 ],\t"c\\" ": " x  y "\r\n}\n')).toBe(
      '{"a b":[1.0,9007199254740993],"c\\" ":" x  y "}',
    );
  });

  it("keeps the value of any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, "\t"), (value, indent) => {
        const compact = compactJson(JSON.stringify(value, null, indent)) ?? "";
        expect(compact).toBe(JSON.stringify(value));
        expect(compact).not.toMatch(/\n/);
      }),
    );
  });

  it("returns undefined for anything else", () => {
    expect([compactJson("spec:\n  replicas: 1\n"), compactJson("{"), compactJson("")]).toEqual([undefined, undefined, undefined]);
  });
});

describe("withoutManagedFields", () => {
  const managed = { name: "a", managedFields: [{ manager: "x" }] };

  it("drops those of an object, of the items of a list and of the rows of a Table", () => {
    const cleaned = (value: unknown): unknown => decodeJson(withoutManagedFields(JSON.stringify(value)));
    expect(cleaned({ metadata: managed, data: { managedFields: "kept" } })).toEqual({
      metadata: { name: "a" },
      data: { managedFields: "kept" },
    });
    expect(cleaned({ kind: "PodList", metadata: {}, items: [{ metadata: managed }] })).toEqual({
      kind: "PodList",
      metadata: {},
      items: [{ metadata: { name: "a" } }],
    });
    expect(cleaned({ kind: "Table", rows: [{ cells: [1], object: { metadata: managed } }] })).toEqual({
      kind: "Table",
      rows: [{ cells: [1], object: { metadata: { name: "a" } } }],
    });
  });

  it("returns a text without any as it is", () => {
    expect(withoutManagedFields('{"a": 1}')).toBe('{"a": 1}');
  });
});
