import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { HintLimit } from "./hint-limit.ts";

describe("HintLimit", () => {
  it("returns the default text if the kubeconfig has no install hint", () => {
    expect(new HintLimit(new ManualClock()).text({})).toMatch(/^\n\nThe kubeconfig names this program .*PATH\.$/);
    expect(new HintLimit(new ManualClock()).text({ installHint: "" })).toMatch(/PATH\.$/);
  });

  it("returns nothing after ten hints until the hour is over", async () => {
    const clock = new ManualClock();
    const hints = new HintLimit(clock);
    for (let given = 0; given < 10; given++) expect(hints.text({ installHint: "do" })).toContain("do");
    await clock.advance(3_599_999);
    expect(hints.text({ installHint: "do" })).toBe("");
    await clock.advance(1);
    expect(hints.text({ installHint: "do" })).toContain("do");
  });
});
