import type { KubeObject, ObjectMeta } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { FinishedObjects } from "./finished-objects.ts";

const object = (metadata: Partial<ObjectMeta>): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", uid: "u1", ...metadata },
});
const deletionTimestamp = "2026-01-01T00:00:00Z";
const terminating = object({ deletionTimestamp, finalizers: ["a"] });
const gone = object({ deletionTimestamp });

describe("FinishedObjects", () => {
  it("recognises a deleted object for a minute, in any version the cache still shows", async () => {
    const clock = new ManualClock();
    const finished = new FinishedObjects(clock);
    finished.note(terminating, gone);
    expect([terminating, gone, object({ uid: "u2", deletionTimestamp }), object({})].map((seen) => finished.isGhost(seen))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await clock.advance(59_999);
    expect(finished.isGhost(terminating)).toBe(true);
    await clock.advance(1);
    expect(finished.isGhost(terminating)).toBe(false);
  });

  it.each([
    ["a finalizer is left", terminating, object({ deletionTimestamp, finalizers: ["b"] })],
    ["it is not being deleted", object({ finalizers: ["a"] }), object({})],
    ["it never had one, such as a pod in its grace period", gone, gone],
    ["its grace period continues", terminating, object({ deletionTimestamp, deletionGracePeriodSeconds: 30 })],
    ["there was no object", undefined, undefined],
    ["it has no uid", terminating, object({ deletionTimestamp, uid: "" })],
  ])("does not remember an object if %s", (_why, before, after) => {
    const finished = new FinishedObjects(new ManualClock());
    finished.note(before, after);
    expect([before, after].some((seen) => seen !== undefined && finished.isGhost(seen))).toBe(false);
  });
});
