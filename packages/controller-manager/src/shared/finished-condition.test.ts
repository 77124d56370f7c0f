import { describe, expect, it } from "vitest";
import { job } from "../testing/cron-job-objects.ts";
import { finishedCondition } from "./finished-condition.ts";

describe("finishedCondition", () => {
  it("is Complete or Failed, and nothing while the Job runs", () => {
    expect([job({ end: "Complete" }), job({ end: "Failed" }), job(), { metadata: {} }].map((one) => finishedCondition(one)?.type)).toEqual([
      "Complete",
      "Failed",
      undefined,
      undefined,
    ]);
  });

  it("is not a condition that does not hold, nor one that is only about to lead there", () => {
    const conditions = [
      { type: "Complete", status: "False" },
      { type: "FailureTarget", status: "True" },
    ];
    expect(finishedCondition({ metadata: {}, status: { conditions } })).toBeUndefined();
  });
});
