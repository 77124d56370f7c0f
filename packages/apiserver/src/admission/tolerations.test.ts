import type { Toleration } from "@drover/api/core/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areAllowed, mergeTolerations, withToleration } from "./tolerations.ts";

const toleration: fc.Arbitrary<Toleration> = fc.record(
  {
    key: fc.constantFrom("a", "b", ""),
    operator: fc.constantFrom("Equal" as const, "Exists" as const),
    value: fc.constantFrom("", "v"),
    effect: fc.constantFrom("NoSchedule" as const, "NoExecute" as const),
    tolerationSeconds: fc.constantFrom(10, 300),
  },
  { requiredKeys: ["operator"] },
);
const list = fc.array(toleration, { maxLength: 5 });

describe("merged tolerations", () => {
  it("cover everything that either list covers, and none of them covers an earlier one", () => {
    fc.assert(
      fc.property(list, list, (first, second) => {
        const merged = mergeTolerations(first, second);
        expect(areAllowed([...first, ...second], merged) || merged.length === 0).toBe(true);
        merged.forEach((each, index) => {
          const earlier = merged.slice(0, index);
          if (earlier.length > 0) expect(areAllowed([each], earlier)).toBe(false);
        });
      }),
    );
  });

  it("keep the wider of two", () => {
    const wide: Toleration = { key: "a", operator: "Exists" };
    expect(mergeTolerations([{ key: "a", operator: "Equal", value: "v", effect: "NoSchedule" }], [wide])).toEqual([wide]);
    expect(mergeTolerations([wide], [{ key: "a", operator: "Equal", value: "v" }])).toEqual([wide]);
  });

  it("replace one that differs only in its seconds", () => {
    const before: Toleration = { key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 3 };
    expect(withToleration([before], { key: "a", operator: "Exists", effect: "NoExecute" })).toEqual([
      { key: "a", operator: "Exists", effect: "NoExecute" },
    ]);
    expect(withToleration([before], before)).toEqual([before]);
    expect(withToleration([before], { key: "b", operator: "Exists" })).toHaveLength(2);
  });
});
