import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { deepFreeze } from "../json/readonly.ts";
import { jsonEqual } from "../json/json-equal.ts";
import type { JsonValue } from "../json/json-value.ts";
import { diffJsonPatch } from "./json-patch-diff.ts";
import { applyJsonPatch } from "./json-patch.ts";

const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(0, 1, "x", true, null, 2n ** 60n),
    fc.dictionary(fc.constantFrom("a", "b", "~/", "", "__proto__"), tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 5 }),
  ),
}));
const root = fc.oneof(fc.array(value, { maxLength: 5 }), fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 }));

describe("diffJsonPatch", () => {
  it("is empty for equal documents", () => {
    expect(diffJsonPatch({ a: [1, { b: 2 }], n: 5 }, { n: 5n, a: [1, { b: 2 }] })).toEqual([]);
  });

  it("names members by escaped key", () => {
    expect(diffJsonPatch({ gone: 1, "a/b~": 1, same: {} }, { "a/b~": 2, same: {}, new: [1] })).toEqual([
      { op: "remove", path: "/gone" },
      { op: "replace", path: "/a~1b~0", value: 2 },
      { op: "add", path: "/new", value: [1] },
    ]);
  });

  it("leaves moved items alone", () => {
    expect(diffJsonPatch({ l: ["a", "b", "c", "d"] }, { l: ["b", "x", "c", "d", "e"] })).toEqual([
      { op: "remove", path: "/l/0" },
      { op: "add", path: "/l/1", value: "x" },
      { op: "add", path: "/l/4", value: "e" },
    ]);
  });

  it("descends into an item that changed in place", () => {
    const pod = (image: string): JsonValue => ({
      spec: { containers: [{ name: "a", image: "a:1" }, { name: "b", image }, { name: "c" }] },
    });
    expect(diffJsonPatch(pod("b:1"), pod("b:2"))).toEqual([{ op: "replace", path: "/spec/containers/1/image", value: "b:2" }]);
  });

  it("replaces a value of another kind", () => {
    expect(diffJsonPatch({ a: [] }, { a: {} })).toEqual([{ op: "replace", path: "/a", value: {} }]);
    expect(diffJsonPatch([1], { a: 1 })).toEqual([{ op: "replace", path: "", value: { a: 1 } }]);
  });

  it("guards removals on request", () => {
    const guarded = diffJsonPatch({ a: 1, b: 2, l: [1, 2] }, { a: 3, l: [2], c: 4 }, { guarded: true });
    expect(guarded).toEqual([
      { op: "test", path: "/a", value: 1 },
      { op: "replace", path: "/a", value: 3 },
      { op: "test", path: "/b", value: 2 },
      { op: "remove", path: "/b" },
      { op: "test", path: "/l/0", value: 1 },
      { op: "remove", path: "/l/0" },
      { op: "add", path: "/c", value: 4 },
    ]);
    expect(() => applyJsonPatch({ a: 9, b: 2, l: [1, 2] }, guarded)).toThrow("testing value /a failed");
  });

  it("leads from one document to the other, guarded or not, and changes neither", () => {
    fc.assert(
      fc.property(root, root, fc.boolean(), (from, to, guarded) => {
        deepFreeze([from, to]);
        expect(jsonEqual(applyJsonPatch(from, diffJsonPatch(from, to, { guarded })), to)).toBe(true);
        expect(diffJsonPatch(to, to)).toEqual([]);
      }),
    );
  });

  it("takes time proportional to large lists, not to their square", () => {
    const items = Array.from({ length: 10_000 }, (_, index): JsonValue => ({ name: `n${index}`, value: index }));
    const rotated = [...items.slice(5_000), ...items.slice(0, 5_000)];
    const patch = diffJsonPatch({ items }, { items: rotated });
    expect(jsonEqual(applyJsonPatch({ items }, patch, { operationsMax: Infinity }), { items: rotated })).toBe(true);
  }, 5_000);

  it("takes time proportional to deep documents, not to their depth", () => {
    const deep = (leaf: string): JsonValue => Array.from({ length: 900 }).reduce<JsonValue>((inner) => [inner, "x".repeat(1_000)], leaf);
    expect(diffJsonPatch(deep("a"), deep("b"))).toHaveLength(1);
  }, 2_000);
});
