import type { PersistentVolume } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setPersistentVolumeDefaults } from "./persistent-volume-defaults.ts";

describe("defaults of PersistentVolume", () => {
  it("set reclaim policy Retain and volumeMode Filesystem", () => {
    const volume: PersistentVolume = { metadata: {}, spec: { capacity: { storage: "1u" }, hostPath: { path: "/" } } };
    setPersistentVolumeDefaults(volume);
    expect(volume).toEqual({
      metadata: {},
      status: { phase: "Pending" },
      spec: {
        capacity: { storage: "1m" },
        hostPath: { path: "/", type: "" },
        persistentVolumeReclaimPolicy: "Retain",
        volumeMode: "Filesystem",
      },
    });
  });
});
