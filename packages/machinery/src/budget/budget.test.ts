import { describe, expect, it } from "vitest";
import { amountText, budget } from "./budget.ts";
import type { Budget } from "./budget.ts";

const declared: Budget = { name: "test/history", limit: 10, unit: "items", atLimit: "the oldest item is forgotten" };

describe("budget", () => {
  it("returns a frozen copy of the declaration", () => {
    const result = budget(declared);
    expect(result).toEqual(declared);
    expect(result).not.toBe(declared);
    expect(Object.isFrozen(result)).toBe(true);
  });

  it("rejects limits that bound nothing, and names the budget", () => {
    for (const limit of [0, -1, NaN, Infinity])
      expect(() => budget({ ...declared, limit })).toThrow(`budget test/history: the limit must be a positive number, not ${limit}`);
  });
});

describe("amountText", () => {
  it("shows bytes in the largest binary unit that fits", () => {
    expect([0, 1, 1023, 1024, 1536, 64 * 2 ** 20, 3 * 2 ** 30, 2 ** 50].map((bytes) => amountText(bytes, "bytes"))).toEqual([
      "0 bytes",
      "1 bytes",
      "1,023 bytes",
      "1 KiB",
      "1.5 KiB",
      "64 MiB",
      "3 GiB",
      "1,048,576 GiB",
    ]);
  });

  it("shows milliseconds as seconds from one second, and separates thousands", () => {
    expect([
      amountText(50, "milliseconds"),
      amountText(300_000, "milliseconds"),
      amountText(10_000, "items"),
      amountText(1e6, "steps"),
    ]).toEqual(["50 ms", "300 s", "10,000 items", "1,000,000 steps"]);
  });
});
