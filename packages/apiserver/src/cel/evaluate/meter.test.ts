import { describe, expect, it } from "vitest";
import { Meter } from "./meter.ts";

describe("a meter", () => {
  it("counts up to its limit and no further", () => {
    const meter = new Meter(3);
    meter.spend(3);
    expect(meter.spent).toBe(3);
    expect(() => meter.spend(1)).toThrow("actual cost limit exceeded");
  });
});
