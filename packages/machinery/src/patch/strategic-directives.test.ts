import { describe, expect, it } from "vitest";

import { deleteFromListPrefix, directiveField, elementOrderPrefix, withoutMarked } from "./strategic-directives.ts";

describe("directives", () => {
  it("name the field they belong to", () => {
    expect(directiveField("$setElementOrder/containers", elementOrderPrefix)).toBe("containers");
    expect(directiveField("$deleteFromPrimitiveList/a/b", deleteFromListPrefix)).toBe("a/b");
    expect(() => directiveField("$setElementOrderX", elementOrderPrefix)).toThrow("invalid patch format of setElementOrder list");
    expect(() => directiveField("$deleteFromPrimitiveList", deleteFromListPrefix)).toThrow("invalid patch format of primitive list");
  });

  it("take every marked object out, and leave other directives", () => {
    expect(withoutMarked({ a: { $patch: "delete" }, b: [{ $patch: "replace" }, { c: 1, $retainKeys: ["c"] }, null], d: null })).toEqual({
      b: [{ c: 1, $retainKeys: ["c"] }, null],
      d: null,
    });
    expect(withoutMarked({ $patch: "anything" })).toBeUndefined();
  });
});
