import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import type { JsonValue } from "../json/json-value.ts";
import { JsonPatchError, parseJsonPatch } from "./json-patch-operation.ts";
import type { JsonPatchOperation } from "./json-patch-operation.ts";
import { applyJsonPatch } from "./json-patch.ts";

// The situations of RFC 6902, appendix A, in its order; undefined where the patch must be refused.
const vectors: readonly [what: string, document: JsonValue, patch: JsonValue, result: JsonValue | undefined][] = [
  ["a member is added", { foo: "bar" }, [{ op: "add", path: "/baz", value: "qux" }], { baz: "qux", foo: "bar" }],
  ["an item is inserted", { foo: ["bar", "baz"] }, [{ op: "add", path: "/foo/1", value: "qux" }], { foo: ["bar", "qux", "baz"] }],
  ["a member is removed", { baz: "qux", foo: "bar" }, [{ op: "remove", path: "/baz" }], { foo: "bar" }],
  ["an item is removed", { foo: ["bar", "qux", "baz"] }, [{ op: "remove", path: "/foo/1" }], { foo: ["bar", "baz"] }],
  ["a value is replaced", { baz: "qux", foo: "bar" }, [{ op: "replace", path: "/baz", value: "boo" }], { baz: "boo", foo: "bar" }],
  [
    "a member is moved",
    { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
    [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
    { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
  ],
  [
    "an item is moved",
    { foo: ["all", "grass", "cows", "eat"] },
    [{ op: "move", from: "/foo/1", path: "/foo/3" }],
    { foo: ["all", "cows", "eat", "grass"] },
  ],
  [
    "tests hold",
    { baz: "qux", foo: ["a", 2, "c"] },
    [
      { op: "test", path: "/baz", value: "qux" },
      { op: "test", path: "/foo/1", value: 2 },
    ],
    { baz: "qux", foo: ["a", 2, "c"] },
  ],
  ["a test does not hold", { baz: "qux" }, [{ op: "test", path: "/baz", value: "bar" }], undefined],
  [
    "a member is an object",
    { foo: "bar" },
    [{ op: "add", path: "/child", value: { grandchild: {} } }],
    { foo: "bar", child: { grandchild: {} } },
  ],
  [
    "a member of the operation is unknown",
    { foo: "bar" },
    [{ op: "add", path: "/baz", value: "qux", xyz: 123 }],
    { foo: "bar", baz: "qux" },
  ],
  ["the parent does not exist", { foo: "bar" }, [{ op: "add", path: "/baz/bat", value: "qux" }], undefined],
  ["a key needs escapes", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: 10 }], { "/": 9, "~1": 10 }],
  ["a text is compared with a number", { "/": 9, "~1": 10 }, [{ op: "test", path: "/~01", value: "10" }], undefined],
  ["a list is appended to", { foo: ["bar"] }, [{ op: "add", path: "/foo/-", value: ["abc", "def"] }], { foo: ["bar", ["abc", "def"]] }],
  // From the text of the RFC.
  ["adding an existing member replaces it", { a: 1 }, [{ op: "add", path: "/a", value: null }], { a: null }],
  ["an index lies beyond the end", { a: [1] }, [{ op: "add", path: "/a/2", value: 1 }], undefined],
  ["a missing member is removed", { a: 1 }, [{ op: "remove", path: "/b" }], undefined],
  ["a value is moved into itself", { a: { b: 1 } }, [{ op: "move", from: "/a", path: "/a/b" }], undefined],
  ["a value is copied into itself", { a: { b: 1 } }, [{ op: "copy", from: "/a", path: "/a/c" }], { a: { b: 1, c: { b: 1 } } }],
  ["the whole document is replaced", { a: 1 }, [{ op: "replace", path: "", value: { b: 2 } }], { b: 2 }],
  [
    "objects are compared whatever the order of their keys",
    { a: { x: 1, y: [2] } },
    [{ op: "test", path: "", value: { a: { y: [2], x: 1 } } }],
    { a: { x: 1, y: [2] } },
  ],
  ["a number and a bigint are compared by value", { a: 5 }, [{ op: "test", path: "/a", value: 5n }], { a: 5 }],
];

const apply = (document: JsonValue, patch: JsonValue): JsonValue => applyJsonPatch(document, parseJsonPatch(patch).operations);

describe("applyJsonPatch", () => {
  it.each(vectors)("follows RFC 6902 when %s", (_what, document, patch, result) => {
    if (result === undefined) expect(() => apply(document, patch)).toThrow(JsonPatchError);
    else expect(apply(document, patch)).toEqual(result);
  });

  it("is as lenient as the server beyond the RFC", () => {
    expect(apply({}, [{ op: "replace", path: "/new", value: 1 }])).toEqual({ new: 1 });
    expect(apply({}, [{ op: "add", path: "/new" }])).toEqual({ new: null });
    expect(apply({}, [{ op: "test", path: "/missing", value: null }])).toEqual({});
    expect(apply({}, [{ op: "copy", from: "/missing", path: "/b" }])).toEqual({ b: null });
    expect(apply({ l: [1, 2] }, [{ op: "remove", path: "/l/-1" }])).toEqual({ l: [1] });
    expect(apply({}, [{ op: "add", path: "ignored/a", value: 1 }])).toEqual({ a: 1 });
  });

  it("names the failed operation and the reason", () => {
    const error = failure(() =>
      apply({ a: [] }, [
        { op: "add", path: "/a/-", value: 1 },
        { op: "remove", path: "/a/7" },
      ]),
    );
    expect(error).toMatchObject({ name: "JsonPatchError", reason: "invalid-index", index: 1, op: "remove", path: "/a/7" });
    expect(error.message).toBe("error in remove for path: '/a/7': Unable to access invalid index: 7: invalid index referenced");
    expect(failure(() => apply({}, [{ op: "zap" }]))).toMatchObject({ reason: "unknown-operation", index: 0, op: "zap", path: undefined });
    expect(failure(() => apply({}, [{ op: "remove", path: "/x" }]))).toMatchObject({ reason: "missing-path" });
    expect(failure(() => apply({}, [{ op: "test", path: "/x", value: 1 }]))).toMatchObject({ reason: "test-failed" });
    expect(failure(() => apply({}, [{ op: "replace", path: "" }]))).toMatchObject({ reason: "invalid-root" });
    expect(failure(() => apply({}, [{ op: "move", path: "/x" }]))).toMatchObject({ reason: "missing-member" });
  });

  it("accepts 10,000 operations and no more", () => {
    const operations = Array.from({ length: 10_001 }, (): JsonPatchOperation => ({ op: "add", path: "/l/-", value: 1 }));
    expect((applyJsonPatch({ l: [] }, operations.slice(1)) as { l: JsonValue[] }).l).toHaveLength(10_000);
    const error = failure(() => applyJsonPatch({ l: [] }, operations));
    expect([error.reason, error.message]).toEqual([
      "too-many-operations",
      "The allowed maximum operations in a JSON patch is 10000, got 10001",
    ]);
    expect(() => applyJsonPatch({}, [{ op: "test", path: "", value: {} }], { operationsMax: 0 })).toThrow(
      "The allowed maximum operations in a JSON patch is 0, got 1",
    );
  });

  it("stops a document that doubles with every copy", () => {
    const doubling = Array.from({ length: 64 }, (): JsonPatchOperation => ({ op: "copy", from: "/a", path: "/a/-" }));
    const error = failure(() => applyJsonPatch({ a: [{ text: "0123456789" }] }, doubling));
    expect(error.reason).toBe("copied-too-much");
    expect(error.message).toMatch(
      /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
    );
    expect(() => applyJsonPatch({ a: "é<" }, [{ op: "copy", from: "/a", path: "/b" }], { copiedBytesMax: 9 })).toThrow(
      "is 10, exceeding the limit 9",
    );
    expect(applyJsonPatch({ a: "é<" }, [{ op: "copy", from: "/a", path: "/b" }], { copiedBytesMax: 10 })).toEqual({ a: "é<", b: "é<" });
  });

  it("keeps a copy separate from its source", () => {
    expect(
      apply({ o: { p: 1 } }, [
        { op: "add", path: "/o/q", value: 2 },
        { op: "copy", from: "/o", path: "/c" },
        { op: "add", path: "/c/p", value: 3 },
        { op: "remove", path: "/o/q" },
      ]),
    ).toEqual({ o: { p: 1 }, c: { p: 3, q: 2 } });
  });

  it("applies ten thousand operations to a wide object quickly", () => {
    const document = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, index]));
    const operations = Array.from({ length: 10_000 }, (_, index): JsonPatchOperation => ({
      op: "replace",
      path: `/k${index}`,
      value: -index,
    }));
    expect(applyJsonPatch(document, operations)).toMatchObject({ k9999: -9999 });
  }, 2_000);

  it("cannot reach a prototype, and keeps keys that look like one (X1, S2)", () => {
    const document = apply({}, [
      { op: "add", path: "/__proto__", value: { polluted: true } },
      { op: "add", path: "/__proto__/x", value: 1 },
      { op: "copy", from: "/__proto__", path: "/constructor" },
    ]);
    expect(JSON.stringify(document)).toBe('{"__proto__":{"polluted":true,"x":1},"constructor":{"polluted":true,"x":1}}');
    for (const path of ["/__proto__/polluted", "/constructor/prototype/polluted", "/toString/polluted"])
      expect(() => apply({}, [{ op: "add", path, value: true }])).toThrow("doc is missing path");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("never changes the document or the patch", () => {
    const key = fc.constantFrom("a", "b", "0", "1", "-");
    const value = fc.constantFrom<JsonValue>(1, { a: [1], b: { a: 1 } }, [[1], { a: 1 }]);
    const path = fc.array(key, { minLength: 1, maxLength: 3 }).map((tokens) => `/${tokens.join("/")}`);
    const operation = fc.record({
      op: fc.constantFrom("add", "replace", "remove", "move", "copy"),
      path,
      from: path,
      value,
    }) as fc.Arbitrary<unknown> as fc.Arbitrary<JsonPatchOperation>;
    fc.assert(
      fc.property(fc.record({ a: value, b: value }), fc.array(operation, { maxLength: 4 }), (document, operations) => {
        deepFreeze([document, operations]);
        try {
          applyJsonPatch(document, operations);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonPatchError);
        }
      }),
    );
  });
});

function failure(run: () => unknown): JsonPatchError {
  try {
    run();
  } catch (error) {
    if (error instanceof JsonPatchError) return error;
    throw error;
  }
  throw new Error("did not fail");
}
