import { describe, expect, it } from "vitest";
import { job } from "../testing/cron-job-objects.ts";
import { finishedCondition } from "./finished-condition.ts";

describe("finishedCondition", () => {
  it("returns Complete or Failed, and nothing while the Job runs", () => {
    expect([job({ end: "Complete" }), job({ end: "Failed" }), job(), { metadata: {} }].map((one) => finishedCondition(one)?.type)).toEqual([
      "Complete",
      "Failed",
      undefined,
      undefined,
    ]);
  });

  it("ignores a condition that is not True, and one that only announces the end", () => {
    const conditions = [
      { type: "Complete", status: "False" },
      { type: "FailureTarget", status: "True" },
    ];
    expect(finishedCondition({ metadata: {}, status: { conditions } })).toBeUndefined();
  });
});
