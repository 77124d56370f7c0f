import { describe, expect, it } from "vitest";
import { Meter } from "./meter.ts";

describe("Meter", () => {
  it("throws when its cost limit is exceeded", () => {
    const meter = new Meter(3);
    meter.spend(3);
    expect(meter.spent).toBe(3);
    expect(() => meter.spend(1)).toThrow("actual cost limit exceeded");
  });
});
