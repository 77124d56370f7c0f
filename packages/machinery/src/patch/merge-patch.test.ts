import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import { jsonEqual } from "../json/json-equal.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { applyMergePatch, diffMergePatch, parseMergePatch } from "./merge-patch.ts";

// The rows of RFC 7386, appendix A: document, patch, result.
const rows: readonly (readonly [JsonValue, JsonValue, JsonValue])[] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(0, 1, "x", true, 2n ** 60n),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__"), tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));
const object: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 });

describe("applyMergePatch", () => {
  it.each(rows)("turns %j with %j into %j", (document, patch, result) => expect(applyMergePatch(document, patch)).toEqual(result));

  it("drops nulls within lists as the server does: unless the list replaces an object", () => {
    const patch = { a: [{ b: null, c: 1 }, null] };
    expect(applyMergePatch({}, patch)).toEqual({ a: [{ c: 1 }, null] });
    expect(applyMergePatch({ a: [1] }, patch)).toEqual({ a: [{ c: 1 }, null] });
    expect(applyMergePatch({ a: {} }, patch)).toEqual(patch);
  });

  it("shares what it does not touch", () => {
    const spec = { replicas: 1 };
    expect((applyMergePatch({ spec, metadata: {} }, { metadata: { name: "x" } }) as JsonObject)["spec"]).toBe(spec);
  });

  it("must be an object for the server", () => {
    expect(parseMergePatch({ a: 1 })).toEqual({ a: 1 });
    expect(() => parseMergePatch([])).toThrow(
      "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
    );
    expect(() => parseMergePatch(1n)).toThrow("cannot unmarshal number into");
    expect(() => parseMergePatch(null)).toThrow("Invalid JSON Patch");
  });

  it("cannot reach a prototype, and keeps keys that look like one (X1, S2)", () => {
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as JsonObject;
    const once = applyMergePatch({}, hostile);
    expect(JSON.stringify(applyMergePatch(once, hostile))).toBe(JSON.stringify(hostile));
    expect(JSON.stringify(diffMergePatch({}, hostile))).toBe(JSON.stringify(hostile));
    expect(JSON.stringify(applyMergePatch(once, diffMergePatch(hostile, {})))).toBe("{}");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("diffMergePatch", () => {
  it("contains only differences", () => {
    expect(diffMergePatch({ a: 1, b: { c: 1, d: [1] }, e: 1n }, { b: { c: 2, d: [1] }, e: 1, f: {} })).toEqual({
      a: null,
      b: { c: 2 },
      f: {},
    });
    expect(diffMergePatch({ a: [1, { b: 1 }] }, { a: [1, { b: 2 }] })).toEqual({ a: [1, { b: 2 }] });
  });

  it("cannot set a null: existing members go, missing ones stay away", () => {
    const patch = diffMergePatch({ a: 1 }, { a: null, b: null });
    expect(patch).toEqual({ a: null, b: null });
    expect(applyMergePatch({ a: 1 }, patch)).toEqual({});
    expect(diffMergePatch({ a: null }, { a: null })).toEqual({});
  });

  it("leads from one to the other without nulls, and changes neither", () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        deepFreeze([from, to]);
        const patch = diffMergePatch(from, to);
        deepFreeze(patch);
        expect(jsonEqual(applyMergePatch(from, patch), to)).toBe(true);
        expect(diffMergePatch(to, to)).toEqual({});
      }),
    );
  });
});
