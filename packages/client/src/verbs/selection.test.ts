import { nothing, oneTermEqualSelector, parseSelector } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { fieldSelectorText, labelSelectorText } from "./selection.ts";

describe("labelSelectorText", () => {
  it("takes text as it is, a selector, and what objects hold", () => {
    expect(labelSelectorText("app = web")).toBe("app = web");
    expect(labelSelectorText(parseSelector("tier in (b,a),app=web"))).toBe("app=web,tier in (a,b)");
    expect(labelSelectorText({ matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "NotIn", values: ["a"] }] })).toBe(
      "app=web,tier notin (a)",
    );
    expect(labelSelectorText({})).toBe("");
  });

  it("refuses the selector that matches nothing, whose text selects everything", () => {
    expect(() => labelSelectorText(nothing)).toThrow("matches nothing cannot be sent");
  });

  it("refuses what is no selector", () => {
    expect(() => labelSelectorText({ matchExpressions: [{ key: "a", operator: "In" }] })).toThrow();
  });
});

describe("fieldSelectorText", () => {
  it("takes text as it is, and a selector with its values escaped", () => {
    expect(fieldSelectorText("spec.nodeName=n1")).toBe("spec.nodeName=n1");
    expect(fieldSelectorText(oneTermEqualSelector("metadata.name", "a,b"))).toBe("metadata.name=a\\,b");
  });
});
