import { describe, expect, it } from "vitest";

import { deleteFromListPrefix, directiveField, elementOrderPrefix, withoutMarked } from "./strategic-directives.ts";

describe("strategic merge directives", () => {
  it("name their field", () => {
    expect(directiveField("$setElementOrder/containers", elementOrderPrefix)).toBe("containers");
    expect(directiveField("$deleteFromPrimitiveList/a/b", deleteFromListPrefix)).toBe("a/b");
    expect(() => directiveField("$setElementOrderX", elementOrderPrefix)).toThrow("invalid patch format of setElementOrder list");
    expect(() => directiveField("$deleteFromPrimitiveList", deleteFromListPrefix)).toThrow("invalid patch format of primitive list");
  });

  it("are removed with marked objects by withoutMarked, which keeps other directives", () => {
    expect(withoutMarked({ a: { $patch: "delete" }, b: [{ $patch: "replace" }, { c: 1, $retainKeys: ["c"] }, null], d: null })).toEqual({
      b: [{ c: 1, $retainKeys: ["c"] }, null],
      d: null,
    });
    expect(withoutMarked({ $patch: "anything" })).toBeUndefined();
  });
});
