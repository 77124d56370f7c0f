import { describe, expect, it } from "vitest";
import { hold, isHold } from "./hold.ts";

describe("hold", () => {
  it("is distinguishable from objects of the same shape", () => {
    expect(isHold(hold("waiting for pods"))).toBe(true);
    expect([{ why: "waiting" }, undefined, null, "hold", {}].map(isHold)).toEqual([false, false, false, false, false]);
    expect(hold("waiting for pods").why).toBe("waiting for pods");
  });

  it("throws without a reason", () => {
    expect(() => hold("")).toThrow('hold("waiting for pods")');
  });
});
