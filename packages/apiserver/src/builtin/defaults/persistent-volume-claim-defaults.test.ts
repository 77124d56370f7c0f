import type { PersistentVolumeClaim } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setPersistentVolumeClaimDefaults } from "./persistent-volume-claim-defaults.ts";

describe("a claim", () => {
  it("wants a file system and is pending, with rounded amounts", () => {
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

  it("keeps what it says", () => {
    const claim: PersistentVolumeClaim = { metadata: {}, spec: { volumeMode: "Block" }, status: { phase: "Bound" } };
    setPersistentVolumeClaimDefaults(claim);
    expect(claim).toEqual({ metadata: {}, spec: { volumeMode: "Block" }, status: { phase: "Bound" } });
  });
});
