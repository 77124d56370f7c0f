import type { JobSpec } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { jobSpecWarnings } from "./job-warnings.ts";

describe("jobSpecWarnings", () => {
  it("warns about many completions with high parallelism", () => {
    const spec: JobSpec = { completionMode: "Indexed", completions: 100_001, parallelism: 10_001, template: {} };
    expect(jobSpecWarnings(spec, "spec")).toEqual([
      "spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail",
    ]);
    expect(jobSpecWarnings({ ...spec, parallelism: 10_000 }, "spec")).toEqual([]);
  });
});
