import type { Pod } from "@drover/api/core/v1";
import type { ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { PendingPods } from "./pending-pods.ts";

const key = "shop/web" as ObjectKey;
const pod = (uid: string): Pod => ({ metadata: { name: "web", namespace: "shop", uid }, spec: { containers: [], priority: 7 } });
const waits = (pending: PendingPods, now: number): readonly number[] => pending.due(now, () => true).map(({ afterMs }) => afterMs);

describe("PendingPods", () => {
  it("doubles the backoff up to ten seconds", () => {
    const pending = new PendingPods();
    const seen = [0, 1, 2, 3, 4, 5].map(() => {
      pending.failed(key, pod("u"), 1000);
      return waits(pending, 1000)[0];
    });
    expect(seen).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(waits(pending, 8000)).toEqual([3000]);
    expect(waits(pending, 60_000)).toEqual([0]);
  });

  it("starts over for a namesake, and forgets a bound pod", () => {
    const pending = new PendingPods();
    pending.failed(key, pod("u"), 0);
    pending.failed(key, pod("u"), 0);
    pending.failed(key, pod("v"), 0);
    expect(pending.due(0, () => true)).toEqual([{ key, priority: 7, afterMs: 1000 }]);
    pending.forget(key);
    expect(pending.due(0, () => true)).toEqual([]);
  });

  it("leaves pods alone that a change cannot help", () => {
    const pending = new PendingPods();
    pending.failed(key, pod("u"), 0);
    expect(pending.due(0, ({ metadata }) => metadata.uid !== "u")).toEqual([]);
  });
});
