import type { PersistentVolume, PersistentVolumeClaim } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { reclaimStep, volumeStep } from "./volume-step.ts";

function claim(
  spec: Partial<NonNullable<PersistentVolumeClaim["spec"]>> = {},
  status: PersistentVolumeClaim["status"] = { phase: "Pending" },
): PersistentVolumeClaim {
  return {
    metadata: { name: "data", namespace: "shop", uid: "u" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "2Gi" } }, ...spec },
    status,
  };
}

function volume(
  name: string,
  spec: Partial<NonNullable<PersistentVolume["spec"]>> = {},
  phase: NonNullable<PersistentVolume["status"]>["phase"] = "Available",
): PersistentVolume {
  return {
    metadata: { name, labels: { name } },
    spec: { capacity: { storage: "3Gi" }, accessModes: ["ReadWriteOnce", "ReadOnlyMany"], ...spec },
    ...(phase === undefined ? {} : { status: { phase } }),
  };
}

const own = { namespace: "shop", name: "data", uid: "u" };

describe("volumeStep", () => {
  it("creates a volume where none suits, and waits for a claim without a class or with a selector", () => {
    expect(volumeStep(claim(), [])).toMatchObject({
      type: "provide",
      volume: {
        metadata: { name: "pvc-u" },
        spec: { capacity: { storage: "2Gi" }, claimRef: own, persistentVolumeReclaimPolicy: "Delete" },
      },
    });
    expect(volumeStep(claim({ storageClassName: "fast" }), [volume("a")])).toMatchObject({
      type: "provide",
      volume: { spec: { storageClassName: "fast" } },
    });
    expect(volumeStep(claim({ storageClassName: "" }), [])).toEqual({ type: "rest" });
    expect(volumeStep(claim({ selector: { matchLabels: { name: "b" } } }), [volume("a")])).toEqual({ type: "rest" });
  });

  it("binds the smallest suitable volume: class, size, access, mode and labels", () => {
    expect(
      volumeStep(claim(), [
        volume("large", { capacity: { storage: "9Gi" } }),
        volume("right"),
        volume("small", { capacity: { storage: "1Gi" } }),
      ]),
    ).toEqual({ type: "reserve", volume: "right" });
    expect(
      volumeStep(claim({ storageClassName: "" }), [
        volume("classy", { storageClassName: "fast" }),
        volume("taken", { claimRef: { name: "other", namespace: "shop", uid: "o" } }),
        volume("block", { volumeMode: "Block" }),
      ]),
    ).toEqual({ type: "rest" });
    expect(volumeStep(claim({ storageClassName: "", accessModes: ["ReadWriteMany"] }), [volume("a")])).toEqual({ type: "rest" });
    expect(volumeStep(claim({ selector: { matchLabels: { name: "b" } } }), [volume("a"), volume("b")])).toEqual({
      type: "reserve",
      volume: "b",
    });
  });

  it("prefers a volume that is reserved for the claim", () => {
    expect(volumeStep(claim(), [volume("free"), volume("promised", { claimRef: { namespace: "shop", name: "data" } })])).toEqual({
      type: "reserve",
      volume: "promised",
    });
  });

  it("continues step by step until both are bound", () => {
    const reserved = volume("a", { claimRef: own });
    expect(volumeStep(claim(), [reserved])).toEqual({ type: "bind", volume: "a" });
    expect(volumeStep(claim({ volumeName: "a" }), [reserved])).toEqual({ type: "confirm", volume: reserved });
    expect(volumeStep(claim({ volumeName: "a" }, { phase: "Bound" }), [volume("a", { claimRef: own }, "Bound")])).toEqual({ type: "rest" });
  });

  it("waits for a named volume, does not take another claim's, and is Lost when it is gone", () => {
    expect(volumeStep(claim({ volumeName: "a" }), [])).toEqual({ type: "rest" });
    expect(volumeStep(claim({ volumeName: "a" }), [volume("a")])).toEqual({ type: "reserve", volume: "a" });
    expect(volumeStep(claim({ volumeName: "a" }), [volume("a", { claimRef: { ...own, uid: "o" } })])).toEqual({ type: "rest" });
    expect(volumeStep(claim({ volumeName: "a" }, { phase: "Bound" }), [])).toEqual({ type: "lose" });
  });
});

describe("reclaimStep", () => {
  it("deletes or keeps a volume by its reclaim policy", () => {
    expect(reclaimStep(volume("a", { claimRef: own, persistentVolumeReclaimPolicy: "Delete" }, "Bound"), false)).toBe("delete");
    expect(reclaimStep(volume("a", { claimRef: own, persistentVolumeReclaimPolicy: "Retain" }, "Bound"), false)).toBe("release");
    expect(reclaimStep(volume("a", { claimRef: own, persistentVolumeReclaimPolicy: "Retain" }, "Released"), false)).toBe("rest");
    expect(reclaimStep(volume("a", { claimRef: own }, "Bound"), true)).toBe("rest");
  });

  it("offers a free volume, and waits for a reserved claim", () => {
    expect(reclaimStep(volume("a", {}, "Pending"), false)).toBe("offer");
    expect(reclaimStep(volume("a"), false)).toBe("rest");
    expect(reclaimStep(volume("a", { claimRef: { namespace: "shop", name: "data" } }, "Pending"), false)).toBe("rest");
  });
});
