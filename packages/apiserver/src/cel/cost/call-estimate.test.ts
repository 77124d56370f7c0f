import { describe, expect, it } from "vitest";
import { checkText } from "../testing/evaluate-text.ts";
import { estimateCost } from "./cost-estimator.ts";
import { most } from "./cost-range.ts";

const cost = (text: string): bigint => estimateCost(checkText(text), () => ({ min: 0n, max: 100n })).max;

describe("estimateCall", () => {
  it.each([
    ["string(self).contains('a')", 12n],
    ["lists.range(5)", 16n],
    ["'abc'.matches('abcd')", 1n],
    ["[1, 2].sort()", 10n + 8n + 11n],
    ["ip('1.1.1.1')", 1n],
    ["quantity('1') == quantity('2')", 3n],
  ])("estimates %s at %s", (text, wanted) => {
    expect(cost(text)).toBeLessThanOrEqual(wanted + 12n);
    expect(cost(text)).toBeGreaterThan(0n);
  });

  it("returns no upper bound for a range of unknown length", () => {
    expect(cost("lists.range(self)")).toBe(most);
  });
});
