import { describe, expect, it } from "vitest";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import { oldAndNew } from "./old-and-new.ts";

describe("oldAndNew", () => {
  it("separates pods by revision and ignores terminating ones", () => {
    const [old, young] = [daemonPod({ hash: "old" }), daemonPod()];
    expect(oldAndNew(daemonSet(), [old, young, daemonPod({ isDeleting: true })], "new")).toEqual({ oldPod: old, newPod: young });
    expect(oldAndNew(daemonSet(), [], "new")).toEqual({});
  });

  it("returns undefined for two pods of the same revision", () => {
    expect(oldAndNew(daemonSet(), [daemonPod({ name: "a" }), daemonPod({ name: "b" })], "new")).toBeUndefined();
    expect(oldAndNew(daemonSet(), [daemonPod({ hash: "a" }), daemonPod({ hash: "b" })], "new")).toBeUndefined();
  });
});
