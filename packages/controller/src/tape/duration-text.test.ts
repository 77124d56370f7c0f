import { describe, expect, it } from "vitest";
import { durationText } from "./duration-text.ts";

describe("durationText", () => {
  it("prints two or three significant digits", () => {
    expect([0, 0.04, 0.25, 3, 9.94, 34.4, 999, 1540, 90_000, 120_000, 332_000].map(durationText)).toEqual([
      "0 ms",
      "0 ms",
      "0.3 ms",
      "3 ms",
      "9.9 ms",
      "34 ms",
      "999 ms",
      "1.5 s",
      "90 s",
      "2m",
      "5m32s",
    ]);
  });
});
