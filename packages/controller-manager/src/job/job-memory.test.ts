import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { job } from "./testing/running-job.ts";
import { noBackoff } from "./failure-backoff.ts";
import { JobMemory } from "./job-memory.ts";

const key = objectKey("work", "shop");

describe("JobMemory", () => {
  it("returns the last written Job while the cache lags", () => {
    const memory = new JobMemory();
    const [old, written, newer] = [job({ version: "9" }), job({ version: "10" }), job({ version: "11" })];
    expect(memory.newest(old, 0)).toBe(old);
    memory.wrote(written, 0);
    expect([memory.newest(old, 0), memory.newest(job({ version: "10" }), 0).metadata.resourceVersion, memory.newest(newer, 0)]).toEqual([
      written,
      "10",
      newer,
    ]);
  });

  it("returns the cached Job after a minute: the write was lost with a restore of the server (SEC2)", () => {
    const memory = new JobMemory();
    const [restored, written] = [job({ version: "9" }), job({ version: "10" })];
    memory.wrote(written, 0);
    expect([memory.newest(restored, 60_000), memory.newest(restored, 60_001)]).toEqual([written, restored]);
  });

  it("J061: remembers released pods until they are observed", () => {
    const memory = new JobMemory();
    memory.expectFreed(job(), ["a", "b"]);
    const before = memory.freeing(job());
    memory.freed(key, "a");
    expect([[...before], [...memory.freeing(job())]]).toEqual([["a", "b"], ["b"]]);
    memory.freed(objectKey("other", "shop"), "b");
    expect(memory.freeing(job()).has("b")).toBe(true);
  });

  it("forgets a Job that is gone or replaced by a namesake", () => {
    const memory = new JobMemory();
    memory.setBackoff(job(), { failures: 3, lastFailure: 1 });
    expect(memory.backoff(job()).failures).toBe(3);
    expect(memory.backoff(job({ uid: "another" }))).toEqual(noBackoff);
    memory.setBackoff(job(), { failures: 3, lastFailure: 1 });
    memory.forget(key);
    expect(memory.backoff(job())).toEqual(noBackoff);
  });
});
