import { PersistentVolume } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed, secondsAgo } from "../../testing/printed.ts";

describe("PersistentVolume table", () => {
  it("has capacity, access modes, reclaim policy and claim", () => {
    const spec = {
      capacity: { storage: "1024Mi" },
      accessModes: ["ReadWriteOnce"],
      claimRef: { namespace: "n", name: "c" },
      storageClassName: "fast",
      volumeAttributesClassName: "gold",
      volumeMode: "Block",
    };
    expect(printed(PersistentVolume, { spec, status: { phase: "Bound", reason: "r" } })).toEqual({
      Name: "web",
      Capacity: "1Gi",
      "Access Modes": "RWO",
      "Reclaim Policy": "Retain",
      Status: "Bound",
      Claim: "n/c",
      StorageClass: "fast",
      VolumeAttributesClass: "gold",
      Reason: "r",
      Age: "5m",
      VolumeMode: "Block",
    });
  });

  it("prints defaults for unset fields", () => {
    expect(printed(PersistentVolume, { spec: {} })).toMatchObject({
      Capacity: "0",
      "Access Modes": "",
      Claim: "",
      StorageClass: "",
      VolumeAttributesClass: "<unset>",
      Reason: "",
      VolumeMode: "Filesystem",
    });
  });

  it("prints Terminating, whatever its phase", () => {
    expect(
      printed(PersistentVolume, { metadata: { deletionTimestamp: secondsAgo(0) }, spec: {}, status: { phase: "Bound" } }),
    ).toMatchObject({ Status: "Terminating" });
  });
});
