import { describe, expect, it } from "vitest";
import { cronJob, job } from "../testing/cron-job-objects.ts";
import { ago } from "../testing/workload-objects.ts";
import { jobsToForget } from "./history-cleanup.ts";

const jobs = [
  job({ name: "c", end: "Complete", startTime: ago(10) }),
  job({ name: "b", end: "Complete", startTime: ago(20) }),
  job({ name: "a", end: "Complete", startTime: ago(20) }),
  job({ name: "never-began", end: "Complete" }),
  job({ name: "f", end: "Failed", startTime: ago(5) }),
  job({ name: "running", startTime: ago(99) }),
];
const forgotten = (spec: object): readonly (string | undefined)[] =>
  jobsToForget(cronJob({ spec }), jobs).map(({ metadata }) => metadata.name);

describe("jobsToForget", () => {
  it("counts succeeded and failed Jobs separately and returns the oldest starts", () => {
    expect(forgotten({ successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 })).toEqual(["a", "b"]);
    expect(forgotten({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 })).toEqual(["a", "b", "c", "f"]);
  });

  it("returns a Job that never started last, and no running Job", () => {
    expect(forgotten({ successfulJobsHistoryLimit: 0 })).toEqual(["a", "b", "c", "never-began"]);
  });

  it("returns none without a limit", () => {
    expect(forgotten({})).toEqual([]);
  });
});
