import { PersistentVolumeClaim } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { printed, secondsAgo } from "../../testing/printed.ts";

describe("PersistentVolumeClaim table", () => {
  it("has volume, capacity, access modes and class", () => {
    expect(
      printed(PersistentVolumeClaim, {
        spec: { volumeName: "v", storageClassName: "fast" },
        status: { phase: "Bound", capacity: { storage: "2048Mi" }, accessModes: ["ReadWriteMany"] },
      }),
    ).toEqual({
      Name: "web",
      Status: "Bound",
      Volume: "v",
      Capacity: "2Gi",
      "Access Modes": "RWX",
      StorageClass: "fast",
      VolumeAttributesClass: "<unset>",
      Age: "5m",
      VolumeMode: "Filesystem",
    });
    expect(printed(PersistentVolumeClaim, { spec: { volumeName: "v" } })).toMatchObject({ Capacity: "0", "Access Modes": "" });
  });

  it("prints no capacity without a volume, whatever the status says", () => {
    expect(
      printed(PersistentVolumeClaim, { spec: {}, status: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] } }),
    ).toMatchObject({ Volume: "", Capacity: "", "Access Modes": "" });
  });

  it("prints Terminating", () => {
    expect(printed(PersistentVolumeClaim, { metadata: { deletionTimestamp: secondsAgo(0) }, status: { phase: "Bound" } })).toMatchObject({
      Status: "Terminating",
    });
  });
});
