import { describe, expect, it } from "vitest";
import { firstValueAt } from "./first-value.ts";

describe("firstValueAt", () => {
  it("returns the first value of a path that fits", () => {
    expect(firstValueAt(".a[*]")?.({ a: [7, 8] })).toBe(7);
    expect(firstValueAt(".a")?.({})).toBeUndefined();
    expect(firstValueAt(".a[0]")?.({ a: 1 })).toBeUndefined();
  });

  it("returns undefined for an invalid path", () => {
    expect(firstValueAt(".a[")).toBeUndefined();
  });
});
