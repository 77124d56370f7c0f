import { describe, expect, it } from "vitest";
import { jobPod } from "./testing/running-job.ts";
import {
  byCompletionIndex,
  completionIndex,
  failureCountAnnotation,
  ignoredFailureCountAnnotation,
  ignoredIndexFailures,
  indexBelow,
  indexFailures,
} from "./completion-index.ts";

describe("completionIndex", () => {
  it("returns the annotation if it is a number", () => {
    expect(["0", "12", "-1", "a", "", "1.5"].map((index) => completionIndex(jobPod({ index })))).toEqual([
      0,
      12,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(completionIndex(jobPod())).toBeUndefined();
    expect([indexBelow(jobPod({ index: 2 }), 3), indexBelow(jobPod({ index: 3 }), 3)]).toEqual([2, undefined]);
  });

  it("sorts pods, those without an index first", () => {
    expect([jobPod({ index: 10 }), jobPod({ index: 9 }), jobPod()].toSorted(byCompletionIndex).map(completionIndex)).toEqual([
      undefined,
      9,
      10,
    ]);
  });

  it("J068: reads failure counts from the pod, 0 when invalid", () => {
    const counts = (count: string): readonly number[] => [
      indexFailures(jobPod({ annotations: { [failureCountAnnotation]: count } })),
      ignoredIndexFailures(jobPod({ annotations: { [ignoredFailureCountAnnotation]: count } })),
    ];
    expect(["3", "-3", "many", "2147483647", "2147483648"].map(counts)).toEqual([
      [3, 3],
      [0, 0],
      [0, 0],
      [2147483647, 2147483647],
      [0, 0],
    ]);
    expect([indexFailures(jobPod()), ignoredIndexFailures(jobPod())]).toEqual([0, 0]);
  });
});
