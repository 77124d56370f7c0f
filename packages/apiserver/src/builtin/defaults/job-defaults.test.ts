import type { CronJob, Job, JobSpec } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { setCronJobDefaults, setJobDefaults } from "./job-defaults.ts";

const made = (spec: Partial<JobSpec>, labels?: Record<string, string>): Job => {
  const job: Job = { metadata: labels === undefined ? {} : { labels }, spec: { template: { metadata: { labels: { a: "1" } } }, ...spec } };
  setJobDefaults(job);
  return job;
};

describe("a job", () => {
  it("runs one pod once, and tries six times", () => {
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

  it("that says how many work side by side does not say how many must succeed", () => {
    expect(made({ parallelism: 3 }).spec).not.toHaveProperty("completions");
    expect(made({ completions: 3 }).spec).toMatchObject({ completions: 3, parallelism: 1 });
  });

  it("with a limit for each index has none of its own", () => {
    expect(made({ backoffLimitPerIndex: 0 }).spec?.backoffLimit).toBe(2147483647);
  });

  it("with a policy for failures replaces only what has failed, where conditions are true", () => {
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

  it("bears the labels of its template when it has none", () => {
    const { metadata, spec } = made({});
    expect(metadata.labels).toEqual({ a: "1" });
    expect(metadata.labels).not.toBe(spec?.template.metadata?.labels);
    expect(made({}, { b: "2" }).metadata.labels).toEqual({ b: "2" });
  });
});

describe("a cron job", () => {
  it("lets jobs overlap, and keeps three that succeeded and one that failed", () => {
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
