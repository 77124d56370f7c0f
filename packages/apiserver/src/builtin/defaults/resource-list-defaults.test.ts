import { describe, expect, it } from "vitest";
import { fillGaps, setRequirementDefaults, setResourceListDefaults } from "./resource-list-defaults.ts";

describe("rounding of resource lists", () => {
  it("rounds up to thousandths, away from zero, and keeps the suffix", () => {
    const list = { a: "1500u", b: "1n", c: "0.5", d: "1e3", e: "1Gi", f: "-1500u", g: "0.5001", h: "100m", i: "2.00051Ki" };
    setResourceListDefaults(list);
    expect(list).toEqual({ a: "2m", b: "1m", c: "0.5", d: "1e3", e: "1Gi", f: "-2m", g: "501m", h: "100m", i: "2048523m" });
  });

  it("tolerates absent lists", () => {
    expect(() => setResourceListDefaults(null)).not.toThrow();
    expect(() => setRequirementDefaults(undefined)).not.toThrow();
  });

  it("covers limits and requests", () => {
    const requirements = { limits: { cpu: "1u" }, requests: { cpu: "2u" } };
    setRequirementDefaults(requirements);
    expect(requirements).toEqual({ limits: { cpu: "1m" }, requests: { cpu: "1m" } });
  });

  it("keeps resource names such as __proto__", () => {
    const list = JSON.parse('{"__proto__":"1u"}') as Record<string, string>;
    setResourceListDefaults(list);
    expect(Object.entries(list)).toEqual([["__proto__", "1m"]]);
  });
});

describe("fillGaps", () => {
  it("adds only missing resources, from the first list that has them", () => {
    const list = { a: "1" };
    expect(fillGaps(list, { a: "2", b: "2" }, { b: "3", c: "3" })).toEqual({ a: "1", b: "2", c: "3" });
    expect(list).toEqual({ a: "1" });
  });

  it("returns undefined for empty lists", () => {
    expect(fillGaps(undefined, {}, undefined)).toBeUndefined();
  });

  it("ignores inherited names", () => {
    expect(Object.entries(fillGaps({}, JSON.parse('{"constructor":"1","__proto__":"2"}') as Record<string, string>) ?? {})).toEqual([
      ["constructor", "1"],
      ["__proto__", "2"],
    ]);
  });
});
