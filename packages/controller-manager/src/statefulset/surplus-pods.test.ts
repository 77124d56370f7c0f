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

describe("the pods that are too many", () => {
  it("go from the last on, one at a time", () => {
    expect(gone([member(4), member(3)])).toEqual(["web-4"]);
    expect(gone([])).toEqual([]);
  });

  it("wait for the one that is going", () => {
    expect(gone([member(4, { isDeleting: true }), member(3)])).toEqual([]);
  });

  it("wait when the last is not healthy, unless it is itself the first that is not", () => {
    const [last, first] = [unready(4), unready(0)];
    expect(gone([last, member(3)], { firstUnavailable: first })).toEqual([]);
    expect(gone([last, member(3)], { firstUnavailable: last })).toEqual(["web-4"]);
    const young = member(4, { readyFor: 1 });
    expect(gone([young], { minReadySeconds: 5, firstUnavailable: first })).toEqual([]);
    expect(gone([young], { minReadySeconds: 5, firstUnavailable: young })).toEqual(["web-4"]);
  });

  // Upstream waits for the last to become ready because another that has ended comes before it: two evicted pods keep a
  // set from shrinking for ever.
  it("do not wait for one that has ended", () => {
    const [last, first] = [member(4, { phase: "Failed" }), member(3, { phase: "Failed" })];
    expect(gone([last, first], { firstUnavailable: first })).toEqual(["web-4"]);
  });

  it("go all at once when order does not matter", () => {
    expect(gone([unready(5), member(4, { isDeleting: true }), member(3)], { isOrdered: false })).toEqual(["web-5", "web-3"]);
  });
});
