import { describe, expect, it } from "vitest";
import type { PodView } from "../shared/pod-state.ts";
import { member, unready } from "../testing/stateful-set-objects.ts";
import { start } from "../testing/workload-objects.ts";
import { surplusToRemove } from "./surplus-pods.ts";

const gone = (
  surplus: readonly PodView[],
  {
    isOrdered = true,
    firstUnavailable,
    minReadySeconds = 0,
  }: { readonly isOrdered?: boolean; readonly firstUnavailable?: PodView; readonly minReadySeconds?: number } = {},
): readonly (string | undefined)[] =>
  surplusToRemove(surplus, { isOrdered, firstUnavailable, minReadySeconds, now: start }).map(({ metadata }) => metadata.name);

describe("surplusToRemove", () => {
  it("returns the last pod, one at a time", () => {
    expect(gone([member(4), member(3)])).toEqual(["web-4"]);
    expect(gone([])).toEqual([]);
  });

  it("waits for a terminating pod", () => {
    expect(gone([member(4, { isDeleting: true }), member(3)])).toEqual([]);
  });

  it("waits when the last is unhealthy, unless it is the first unhealthy one", () => {
    const [last, first] = [unready(4), unready(0)];
    expect(gone([last, member(3)], { firstUnavailable: first })).toEqual([]);
    expect(gone([last, member(3)], { firstUnavailable: last })).toEqual(["web-4"]);
    const young = member(4, { readyFor: 1 });
    expect(gone([young], { minReadySeconds: 5, firstUnavailable: first })).toEqual([]);
    expect(gone([young], { minReadySeconds: 5, firstUnavailable: young })).toEqual(["web-4"]);
  });

  // Upstream waits for the last pod to become ready because another finished one comes before it: two evicted pods keep a set from
  // scaling down forever.
  it("does not wait for a finished pod", () => {
    const [last, first] = [member(4, { phase: "Failed" }), member(3, { phase: "Failed" })];
    expect(gone([last, first], { firstUnavailable: first })).toEqual(["web-4"]);
  });

  it("returns all at once in parallel", () => {
    expect(gone([unready(5), member(4, { isDeleting: true }), member(3)], { isOrdered: false })).toEqual(["web-5", "web-3"]);
  });
});
