import type { Job, JobStatus } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateJobStatusUpdate } from "./job-status.ts";

const time = "2024-01-01T00:00:00Z";
const job = (status: JobStatus, spec: object = {}): Job => ({ metadata: { name: "j" }, spec: { template: {}, ...spec }, status });
const is = (...types: readonly string[]): NonNullable<JobStatus["conditions"]> => types.map((type) => ({ type, status: "True" }));
const done: JobStatus = { startTime: time, completionTime: time, conditions: is("SuccessCriteriaMet", "Complete") };
const wrong = (now: JobStatus, before: JobStatus = {}, spec: object = {}): string[] =>
  texts(validateJobStatusUpdate(job(now, spec), job(before, spec)));

describe("validateJobStatusUpdate", () => {
  it("accepts a completed Job", () => {
    expect(wrong(done, { startTime: time, active: 1 })).toEqual([]);
  });

  it("requires completionTime and conditions of a finished Job", () => {
    expect(wrong({ startTime: time, conditions: is("Complete") })).toEqual([
      "status.completionTime: Required value: completionTime is required for Complete jobs",
      "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
    ]);
  });

  it("keeps a finished Job finished", () => {
    expect(wrong({ startTime: time }, done)).toEqual([
      "status.conditions: Invalid value: cannot disable the terminal Complete=True condition",
      "status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition",
    ]);
  });

  it("refuses decreasing counts", () => {
    expect(wrong({ failed: 1, succeeded: 1 }, { failed: 2, succeeded: 2 })).toEqual([
      "status.failed: Invalid value: 1: cannot decrease the failed counter",
      "status.succeeded: Invalid value: 1: cannot decrease the succeeded counter",
    ]);
    expect(wrong({ succeeded: 1 }, { succeeded: 2 }, { completionMode: "Indexed", completions: 1, parallelism: 1 })).toEqual([]);
  });

  it("keeps startTime unless the Job is resumed", () => {
    expect(wrong({ startTime: "2025-01-01T00:00:00Z" }, { startTime: time })).toEqual([
      'status.startTime: Invalid value: "2025-01-01T00:00:00Z": field is immutable for unsuspended job once set',
    ]);
    expect(
      wrong(
        { startTime: "2025-01-01T00:00:00Z", conditions: [{ type: "Suspended", status: "False" }] },
        { startTime: time, conditions: is("Suspended") },
      ),
    ).toEqual([]);
  });

  it("validates completedIndexes and failedIndexes", () => {
    const indexed = { completionMode: "Indexed", completions: 3, backoffLimitPerIndex: 1 };
    expect(wrong({ completedIndexes: "0-1", failedIndexes: "1" }, {}, indexed)).toEqual([
      'status.failedIndexes: Invalid value: "1": failedIndexes and completedIndexes overlap at index: 1',
    ]);
    expect(wrong({ completedIndexes: "9" }, {}, indexed)).toEqual([
      'status.completedIndexes: Invalid value: "9": error parsing completedIndexes: too large index: "9"',
    ]);
  });

  it("tolerates unchanged invalid fields", () => {
    expect(wrong({ ready: 5, completedIndexes: "9" }, { ready: 5, completedIndexes: "9" })).toEqual([]);
  });
});
