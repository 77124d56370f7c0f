import type { PersistentVolumeClaim } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setPersistentVolumeClaimDefaults } from "./persistent-volume-claim-defaults.ts";

describe("defaults of PersistentVolumeClaim", () => {
  it("set volumeMode Filesystem, phase Pending and rounded quantities", () => {
    const claim: PersistentVolumeClaim = {
      metadata: {},
      spec: { resources: { requests: { storage: "1u" } } },
      status: { capacity: { storage: "1u" } },
    };
    setPersistentVolumeClaimDefaults(claim);
    expect(claim).toEqual({
      metadata: {},
      spec: { volumeMode: "Filesystem", resources: { requests: { storage: "1m" } } },
      status: { phase: "Pending", capacity: { storage: "1m" } },
    });
  });

  it("keep explicit values", () => {
    const claim: PersistentVolumeClaim = { metadata: {}, spec: { volumeMode: "Block" }, status: { phase: "Bound" } };
    setPersistentVolumeClaimDefaults(claim);
    expect(claim).toEqual({ metadata: {}, spec: { volumeMode: "Block" }, status: { phase: "Bound" } });
  });
});
