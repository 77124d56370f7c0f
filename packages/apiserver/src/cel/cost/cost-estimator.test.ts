import { describe, expect, it } from "vitest";
import { checkText } from "../testing/evaluate-text.ts";
import { estimateCost } from "./cost-estimator.ts";

const ten = { min: 0n, max: 10n };
const cost = (text: string) => estimateCost(checkText(text), (path) => (path.length > 0 ? ten : undefined));

describe("estimateCost", () => {
  it("multiplies the cost of a comprehension by its maximum number of iterations", () => {
    expect(cost("self.all(x, x == 1)").max).toBe(1n + 1n + 10n * 5n);
    expect(cost("self.all(x, self.all(y, x == y))").max).toBeGreaterThan(cost("self.all(x, true)").max * 5n);
  });

  it("takes the more expensive branch, and nothing for constants", () => {
    expect(cost("true ? self == 1 : false").max).toBe(2n);
    expect(cost("true")).toEqual({ min: 0n, max: 0n });
  });
});
