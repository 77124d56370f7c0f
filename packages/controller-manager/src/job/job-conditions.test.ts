import { describe, expect, it } from "vitest";
import { ago, start } from "../testing/workload-objects.ts";
import { jobCondition, withJobCondition } from "./job-conditions.ts";

const suspended = { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" } as const;
const resumed = { ...suspended, status: "False", reason: "JobResumed", message: "Job resumed" } as const;

describe("withJobCondition", () => {
  it("sets both times of a condition", () => {
    expect(jobCondition(suspended, start)).toEqual({ ...suspended, lastProbeTime: ago(0), lastTransitionTime: ago(0) });
  });

  it("adds a condition, changes it in place, and does not repeat it", () => {
    const [other, one] = [jobCondition({ ...suspended, type: "FailureTarget" }, start - 9000), jobCondition(suspended, start - 9000)];
    expect(withJobCondition([other], suspended, start)).toEqual([other, jobCondition(suspended, start)]);
    expect(withJobCondition([one, other], resumed, start)).toEqual([jobCondition(resumed, start), other]);
    const before = [one];
    expect(withJobCondition(before, suspended, start)).toBe(before);
  });

  it("does not add a condition with status False", () => {
    const before: [] = [];
    expect(withJobCondition(before, resumed, start)).toBe(before);
  });
});
