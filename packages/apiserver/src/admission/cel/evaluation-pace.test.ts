import { describe, expect, it } from "vitest";
import { EvaluationPace } from "./evaluation-pace.ts";

describe("EvaluationPace", () => {
  it("pauses after expensive evaluations, alone or together", async () => {
    let pauses = 0;
    const pace = new EvaluationPace(() => {
      pauses++;
      return Promise.resolve();
    });
    expect(pace.spend(10_000)).toBe(undefined);
    await pace.spend(10_000);
    await pace.spend(1_000_000);
    expect(pace.spend(10)).toBe(undefined);
    expect(pauses).toBe(2);
  });

  it("never pauses without a pause", () => {
    expect(new EvaluationPace(undefined).spend(1_000_000)).toBe(undefined);
  });
});
