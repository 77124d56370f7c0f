import { describe, expect, it } from "vitest";
import { ruleTree } from "./rule-tree.ts";

describe("the tree of rules", () => {
  it("holds only the parts of a schema that have rules", () => {
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
