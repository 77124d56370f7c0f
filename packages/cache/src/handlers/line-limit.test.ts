import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { LineLimit } from "./line-limit.ts";

describe("LineLimit", () => {
  it("limits lines per second, and reports the number of dropped lines with the next one", async () => {
    const clock = new ManualClock();
    const limit = new LineLimit({ clock, linesPerSecond: 2 });
    const lines: string[] = [];
    const burst = (count: number): void => {
      for (let line = 0; line < count; line++) limit.line((leftOut) => lines.push(`${clock.monotonic()}: ${leftOut} left out`));
    };
    burst(5);
    await clock.advance(999);
    burst(1);
    await clock.advance(1);
    burst(3);
    await clock.advance(5000);
    burst(1);
    expect(lines).toEqual(["0: 0 left out", "0: 0 left out", "1000: 4 left out", "1000: 0 left out", "6000: 1 left out"]);
  });
});
