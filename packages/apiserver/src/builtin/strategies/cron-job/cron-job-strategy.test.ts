import { CronJob } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { cronJobStrategy } from "./cron-job-strategy.ts";
import { sampleOf, sampleTemplate, texts } from "../../../testing/workload-sample.ts";

const cronJob = (spec: Parameters<typeof sampleOf>[1] = {}, name = "tick"): CronJob =>
  sampleOf(CronJob, {
    metadata: { name },
    spec: { schedule: "@daily", jobTemplate: { spec: { template: sampleTemplate({ restartPolicy: "Never" }) } }, ...spec },
  });
const wrong = (spec: Parameters<typeof sampleOf>[1], name?: string): string[] => texts(cronJobStrategy.validate?.(cronJob(spec, name)));

describe("CronJob strategy", () => {
  it("requires a valid schedule", () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ schedule: "" })).toEqual(["spec.schedule: Required value"]);
    expect(wrong({ schedule: "x" })).toEqual(['spec.schedule: Invalid value: "x": expected exactly 5 fields, found 1: [x]']);
  });

  it("refuses TZ in the schedule", () => {
    expect(wrong({ schedule: "TZ=UTC 0 0 * * *" })).toEqual([
      'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ]);
  });

  it("limits the name to 52 characters", () => {
    expect(wrong({}, "a".repeat(52))).toEqual([]);
    expect(wrong({}, "a".repeat(53))).toEqual([`metadata.name: Invalid value: "${"a".repeat(53)}": must be no more than 52 characters`]);
    expect(cronJobStrategy.validateUpdate?.(cronJob({}, "a".repeat(53)), cronJob({}, "a".repeat(53)))).toEqual([]);
  });

  it("refuses a selector in the job template", () => {
    expect(
      wrong({ jobTemplate: { spec: { manualSelector: true, selector: {}, template: sampleTemplate({ restartPolicy: "Never" }) } } }),
    ).toEqual([
      "spec.jobTemplate.spec.selector: Invalid value: {}: `selector` will be auto-generated",
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
    ]);
  });
});
