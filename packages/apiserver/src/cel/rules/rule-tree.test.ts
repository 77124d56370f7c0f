import { describe, expect, it } from "vitest";
import { ruleTree } from "./rule-tree.ts";

describe("ruleTree", () => {
  it("contains only subschemas with rules", () => {
    const tree = ruleTree({
      type: "object",
      properties: {
        a: { type: "string" },
        "b c": { type: "array", items: { type: "string", "x-kubernetes-validations": [{ rule: "self != ''" }] } },
      },
    });
    expect([...(tree?.properties.keys() ?? [])]).toEqual(["b c"]);
    expect(tree?.properties.get("b c")?.items?.rules).toHaveLength(1);
    expect(ruleTree({ type: "object", properties: { a: { type: "string" } } })).toBeUndefined();
  });
});
