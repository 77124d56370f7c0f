import { parseTime } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { cronJob } from "../testing/cron-job-objects.ts";
import { jobName, jobOfRun } from "./job-of-run.ts";

const time = parseTime("2026-07-01T12:30:00Z");
const stamp = (timeZone: string): string | undefined =>
  jobOfRun(cronJob({ spec: { timeZone } }), time).metadata.annotations?.["batch.kubernetes.io/cronjob-scheduled-timestamp"];

describe("jobOfRun", () => {
  it("names the Job after the CronJob and the minute", () => {
    expect([jobName(cronJob(), 0), jobName(cronJob(), 119_999), jobName(cronJob(), time)]).toEqual([
      "report-0",
      "report-1",
      "report-29715150",
    ]);
  });

  it("copies the template and makes the CronJob the controller", () => {
    expect(jobOfRun(cronJob(), time)).toEqual({
      metadata: {
        name: "report-29715150",
        labels: { app: "report" },
        annotations: { note: "kept", "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-07-01T12:30:00Z" },
        ownerReferences: [
          { apiVersion: "batch/v1", kind: "CronJob", name: "report", uid: "report-uid", controller: true, blockOwnerDeletion: true },
        ],
      },
      spec: { template: { spec: { containers: [{ name: "report" }] } } },
    });
  });

  it("annotates the scheduled time in the CronJob's zone", () => {
    expect(["UTC", "Europe/London", "Europe/Berlin", "America/St_Johns", "Asia/Kolkata"].map(stamp)).toEqual([
      "2026-07-01T12:30:00Z",
      "2026-07-01T13:30:00+01:00",
      "2026-07-01T14:30:00+02:00",
      "2026-07-01T10:00:00-02:30",
      "2026-07-01T18:00:00+05:30",
    ]);
  });
});
