import { describe, expect, it } from "vitest";
import { firstValueAt } from "./first-value.ts";

describe("the first value at a path", () => {
  it("is found where the path leads somewhere and fits", () => {
    expect(firstValueAt(".a[*]")?.({ a: [7, 8] })).toBe(7);
    expect(firstValueAt(".a")?.({})).toBeUndefined();
    expect(firstValueAt(".a[0]")?.({ a: 1 })).toBeUndefined();
  });

  it("cannot be looked for where the path cannot be read", () => {
    expect(firstValueAt(".a[")).toBeUndefined();
  });
});
