import { describe, expect, it } from "vitest";
import { jobPod } from "./testing/running-job.ts";
import { ago, start } from "../testing/workload-objects.ts";
import { failureCountAnnotation, ignoredFailureCountAnnotation } from "./completion-index.ts";
import { backoffMs, indexBackoffMs, nextBackoff, noBackoff } from "./failure-backoff.ts";
import { parseTime } from "@drover/machinery";

const times = { baseMs: 5000, capMs: 700_000 };
const ended = (endedAgo: number): ReturnType<typeof jobPod> => jobPod({ endedAgo });
const at = (seconds: number): number => parseTime(ago(seconds));

describe("nextBackoff", () => {
  it("J062: adds new failures to earlier ones", () => {
    expect(nextBackoff(noBackoff, [], [])).toEqual(noBackoff);
    expect(nextBackoff({ failures: 2, lastFailure: at(90) }, [], [ended(10), ended(50)])).toEqual({ failures: 4, lastFailure: at(10) });
    expect(nextBackoff({ failures: 2, lastFailure: at(90) }, [], [])).toEqual({ failures: 2, lastFailure: at(90) });
  });

  it("J062: counts only failures after a success; in the same second the success is later", () => {
    expect(nextBackoff({ failures: 5, lastFailure: at(90) }, [ended(30)], [ended(40), ended(20), ended(10)])).toEqual({
      failures: 2,
      lastFailure: at(10),
    });
    expect(nextBackoff({ failures: 5, lastFailure: at(90) }, [ended(30), ended(10)], [ended(10), ended(20)])).toEqual(noBackoff);
    expect(nextBackoff({ failures: 5, lastFailure: at(90) }, [ended(30)], [])).toEqual(noBackoff);
  });
});

describe("backoffMs", () => {
  const wait = (failures: number, secondsAgo: number): number => backoffMs({ failures, lastFailure: at(secondsAgo) }, start, times);

  it("J062: doubles up to a limit and starts at the failure", () => {
    expect([wait(0, 0), wait(1, 0), wait(1, 2), wait(1, 6), wait(3, 0), wait(8, 0), wait(9, 0), wait(5000, 0)]).toEqual([
      0, 5000, 3000, 0, 20_000, 640_000, 700_000, 700_000,
    ]);
    expect(backoffMs(noBackoff, start, times)).toBe(0);
  });

  it("J009: is 0 without a failure", () => {
    expect(backoffMs({ failures: 0, lastFailure: at(0) }, start, times)).toBe(0);
  });

  it("of an index counts the failures of its last pod and that pod", () => {
    expect(indexBackoffMs(undefined, start, times)).toBe(0);
    expect(indexBackoffMs(jobPod({ endedAgo: 0 }), start, times)).toBe(5000);
    expect(
      indexBackoffMs(
        jobPod({ endedAgo: 1, annotations: { [failureCountAnnotation]: "1", [ignoredFailureCountAnnotation]: "1" } }),
        start,
        times,
      ),
    ).toBe(19_000);
  });
});
