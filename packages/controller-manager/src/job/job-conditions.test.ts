import { describe, expect, it } from "vitest";
import { ago, start } from "../testing/workload-objects.ts";
import { jobCondition, withJobCondition } from "./job-conditions.ts";

const suspended = { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" } as const;
const resumed = { ...suspended, status: "False", reason: "JobResumed", message: "Job resumed" } as const;

describe("what a Job says", () => {
  it("is said with both its times", () => {
    expect(jobCondition(suspended, start)).toEqual({ ...suspended, lastProbeTime: ago(0), lastTransitionTime: ago(0) });
  });

  it("is added, changed in its place, and not said twice", () => {
    const [other, one] = [jobCondition({ ...suspended, type: "FailureTarget" }, start - 9000), jobCondition(suspended, start - 9000)];
    expect(withJobCondition([other], suspended, start)).toEqual([other, jobCondition(suspended, start)]);
    expect(withJobCondition([one, other], resumed, start)).toEqual([jobCondition(resumed, start), other]);
    const before = [one];
    expect(withJobCondition(before, suspended, start)).toBe(before);
  });

  it("is not that something is false which nobody ever said", () => {
    const before: [] = [];
    expect(withJobCondition(before, resumed, start)).toBe(before);
  });
});
