import { describe, expect, it } from "vitest";
import { withCondition } from "./generic-condition.ts";

const [noon, one] = ["2026-01-01T12:00:00Z", "2026-01-01T13:00:00Z"];

describe("withCondition", () => {
  it("changes both timestamps of a generic condition with its status, and only lastUpdateTime with reason or message (§2.5.1)", () => {
    const first = withCondition(undefined, { type: "Ready", status: "Unknown" }, "generic", noon);
    expect(first).toEqual([{ type: "Ready", status: "Unknown", lastUpdateTime: noon, lastTransitionTime: noon, reason: "", message: "" }]);
    const worded = withCondition(first, { type: "Ready", status: "Unknown", message: "wait" }, "generic", one);
    expect(worded).toEqual([
      { type: "Ready", status: "Unknown", lastUpdateTime: one, lastTransitionTime: noon, reason: "", message: "wait" },
    ]);
    expect(withCondition(worded, { type: "Ready", status: "True", message: "" }, "generic", one)).toMatchObject([
      { status: "True", lastTransitionTime: one, message: "" },
    ]);
  });

  it("returns the same list if nothing changes", () => {
    for (const form of ["generic", "metav1"] as const) {
      const list = withCondition([], { type: "Ready", status: "True", reason: "Up", message: "m" }, form, noon);
      expect(withCondition(list, { type: "Ready", status: "True" }, form, one)).toBe(list);
    }
  });

  it("trap 27: writes a standard condition with reason and generation, and no other fields", () => {
    const others = [{ type: "Other", status: "True" as const, reason: "X", message: "", lastTransitionTime: noon }];
    expect(withCondition(others, { type: "Ready", status: "False", observedGeneration: 3 }, "metav1", one)).toEqual([
      ...others,
      { type: "Ready", status: "False", observedGeneration: 3, lastTransitionTime: one, reason: "False", message: "" },
    ]);
  });
});
