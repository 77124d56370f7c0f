import { nothing, oneTermEqualSelector, parseSelector } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { fieldSelectorText, labelSelectorText } from "./selection.ts";

describe("labelSelectorText", () => {
  it("accepts text, a selector, and a LabelSelector object", () => {
    expect(labelSelectorText("app = web")).toBe("app = web");
    expect(labelSelectorText(parseSelector("tier in (b,a),app=web"))).toBe("app=web,tier in (a,b)");
    expect(labelSelectorText({ matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "NotIn", values: ["a"] }] })).toBe(
      "app=web,tier notin (a)",
    );
    expect(labelSelectorText({})).toBe("");
  });

  it("rejects the selector that matches nothing, whose text selects everything", () => {
    expect(() => labelSelectorText(nothing)).toThrow("matches nothing cannot be sent");
  });

  it("rejects an invalid selector", () => {
    expect(() => labelSelectorText({ matchExpressions: [{ key: "a", operator: "In" }] })).toThrow();
  });
});

describe("fieldSelectorText", () => {
  it("accepts text, and a selector with escaped values", () => {
    expect(fieldSelectorText("spec.nodeName=n1")).toBe("spec.nodeName=n1");
    expect(fieldSelectorText(oneTermEqualSelector("metadata.name", "a,b"))).toBe("metadata.name=a\\,b");
  });
});
