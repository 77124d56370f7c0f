import type { CronJob, Job, JobSpec } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { setCronJobDefaults, setJobDefaults } from "./job-defaults.ts";

const made = (spec: Partial<JobSpec>, labels?: Record<string, string>): Job => {
  const job: Job = { metadata: labels === undefined ? {} : { labels }, spec: { template: { metadata: { labels: { a: "1" } } }, ...spec } };
  setJobDefaults(job);
  return job;
};

describe("defaults of Job", () => {
  it("set one completion, one pod at a time and a backoff limit of six", () => {
    expect(made({}).spec).toMatchObject({
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      completionMode: "NonIndexed",
      suspend: false,
      podReplacementPolicy: "TerminatingOrFailed",
      manualSelector: false,
      template: { spec: { restartPolicy: "Always" } },
    });
  });

  it("do not set completions if parallelism is set", () => {
    expect(made({ parallelism: 3 }).spec).not.toHaveProperty("completions");
    expect(made({ completions: 3 }).spec).toMatchObject({ completions: 3, parallelism: 1 });
  });

  it("set no effective backoffLimit with backoffLimitPerIndex", () => {
    expect(made({ backoffLimitPerIndex: 0 }).spec?.backoffLimit).toBe(2147483647);
  });

  it("with a pod failure policy replace failed pods only and set the condition status True", () => {
    const { spec } = made({
      podFailurePolicy: {
        rules: [{ action: "Ignore", onPodConditions: [{ type: "t" }, { type: "u", status: "False" }] }, { action: "Count" }],
      },
    });
    expect(spec?.podReplacementPolicy).toBe("Failed");
    expect(spec?.podFailurePolicy?.rules[0]?.onPodConditions).toEqual([
      { type: "t", status: "True" },
      { type: "u", status: "False" },
    ]);
  });

  it("copy the template's labels to a Job without labels", () => {
    const { metadata, spec } = made({});
    expect(metadata.labels).toEqual({ a: "1" });
    expect(metadata.labels).not.toBe(spec?.template.metadata?.labels);
    expect(made({}, { b: "2" }).metadata.labels).toEqual({ b: "2" });
  });
});

describe("defaults of CronJob", () => {
  it("allow concurrency and keep three successful and one failed Job", () => {
    const cronJob: CronJob = { metadata: {}, spec: { schedule: "* * * * *", jobTemplate: { spec: { template: {} } } } };
    setCronJobDefaults(cronJob);
    expect(cronJob.spec).toMatchObject({
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { template: { spec: { dnsPolicy: "ClusterFirst" } } } },
    });
    expect(cronJob.spec.jobTemplate.spec).not.toHaveProperty("parallelism");
  });
});
