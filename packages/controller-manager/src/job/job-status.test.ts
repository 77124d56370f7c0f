import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { job } from "./testing/running-job.ts";
import { sameJobStatus, writeJobStatus } from "./job-status.ts";

describe("sameJobStatus and writeJobStatus", () => {
  it("ignore counts of 0 and empty lists", () => {
    expect(sameJobStatus(undefined, { active: 0, succeeded: 0, failed: 0, completedIndexes: "", conditions: [] })).toBe(true);
    expect(sameJobStatus({ active: 1 }, { active: 0 })).toBe(false);
    expect(sameJobStatus({}, { ready: 0 })).toBe(false);
    expect(sameJobStatus({ startTime: "2026-01-01T00:00:00Z" }, {})).toBe(false);
    expect(sameJobStatus({ uncountedTerminatedPods: { failed: ["a"] } }, { uncountedTerminatedPods: {} })).toBe(false);
  });

  it("write over the observed version, without them", async () => {
    const { client, asked } = echoServer();
    const { metadata } = await writeJobStatus(client, job({ version: "7" }), { active: 0, succeeded: 2, ready: 0, terminating: 0 });
    expect(asked).toEqual([
      {
        what: "PUT jobs/work/status",
        body: expect.objectContaining({
          metadata: expect.objectContaining({ resourceVersion: "7" }) as unknown,
          status: { succeeded: 2, ready: 0, terminating: 0 },
        }) as unknown,
      },
    ]);
    expect(metadata.resourceVersion).toBe("1001");
  });
});
