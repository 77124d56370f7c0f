import { describe, expect, it } from "vitest";
import { job } from "../testing/cron-job-objects.ts";
import { ago, start } from "../testing/workload-objects.ts";
import { timeLeft } from "./time-left.ts";

describe("timeLeft", () => {
  it("counts from the end of the Job, however it ended", () => {
    expect(timeLeft(job({ end: "Complete", ttl: 10 }), start)).toBe(10_000);
    expect(timeLeft(job({ end: "Failed", ttl: 10, endTime: ago(4) }), start)).toBe(6000);
    expect(timeLeft(job({ end: "Complete", ttl: 10, endTime: ago(15) }), start)).toBe(-5000);
    expect(timeLeft(job({ end: "Complete", ttl: 0 }), start)).toBe(0);
  });

  it("waits longer for a Job that ended in the future, because clocks differ", () => {
    expect(timeLeft(job({ end: "Complete", ttl: 10, endTime: ago(-5) }), start)).toBe(15_000);
  });

  it("is undefined for a Job that runs, is being deleted, or has no TTL", () => {
    expect(
      [job({ ttl: 10 }), job({ end: "Complete", ttl: 0, isDeleting: true }), job({ end: "Complete" })].map((one) => timeLeft(one, start)),
    ).toEqual([undefined, undefined, undefined]);
  });

  it("throws for a Job without an end time", () => {
    const conditions = [{ type: "Complete", status: "True" }];
    expect(() =>
      timeLeft(
        { metadata: { name: "once", namespace: "shop" }, spec: { ttlSecondsAfterFinished: 1, template: {} }, status: { conditions } },
        start,
      ),
    ).toThrow("unable to find the time when the Job shop/once finished");
  });
});
