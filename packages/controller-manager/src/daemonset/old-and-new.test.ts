import { describe, expect, it } from "vitest";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import { oldAndNew } from "./old-and-new.ts";

describe("old and new pods of a node", () => {
  it("are told apart by their revision; those that are going do not count", () => {
    const [old, young] = [daemonPod({ hash: "old" }), daemonPod()];
    expect(oldAndNew(daemonSet(), [old, young, daemonPod({ isDeleting: true })], "new")).toEqual({ oldPod: old, newPod: young });
    expect(oldAndNew(daemonSet(), [], "new")).toEqual({});
  });

  it("are not to be told when there are two of a sort", () => {
    expect(oldAndNew(daemonSet(), [daemonPod({ name: "a" }), daemonPod({ name: "b" })], "new")).toBeUndefined();
    expect(oldAndNew(daemonSet(), [daemonPod({ hash: "a" }), daemonPod({ hash: "b" })], "new")).toBeUndefined();
  });
});
