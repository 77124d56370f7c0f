import { describe, expect, it } from "vitest";
import { addRanges, exactly, most, multiplyRanges, scaleRange, unionRanges, unknownSize } from "./cost-range.ts";

describe("CostRange", () => {
  it("saturates at 64 bits", () => {
    expect(addRanges(unknownSize, exactly(1n)).max).toBe(most);
    expect(multiplyRanges(unknownSize, exactly(2n)).max).toBe(most);
    expect(scaleRange(exactly(15n), 0.1)).toEqual({ min: 2n, max: 2n });
    expect(unionRanges({ min: 1n, max: 2n }, { min: 0n, max: 1n })).toEqual({ min: 0n, max: 2n });
  });
});
