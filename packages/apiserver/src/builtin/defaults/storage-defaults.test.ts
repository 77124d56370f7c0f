import type { CSIDriver, StorageClass, VolumeAttachment } from "@drover/api/storage/v1";
import { describe, expect, it } from "vitest";
import { setCsiDriverDefaults, setStorageClassDefaults, setVolumeAttachmentDefaults } from "./storage-defaults.ts";

describe("a storage class", () => {
  it("deletes what is released and binds at once", () => {
    const storageClass: StorageClass = { metadata: {}, provisioner: "p" };
    setStorageClassDefaults(storageClass);
    expect(storageClass).toEqual({ metadata: {}, provisioner: "p", reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
  });
});

describe("a driver", () => {
  it("attaches volumes that persist, and does nothing else it was not told to", () => {
    const driver: CSIDriver = { metadata: {}, spec: {} };
    setCsiDriverDefaults(driver);
    expect(driver.spec).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      volumeLifecycleModes: ["Persistent"],
      requiresRepublish: false,
      seLinuxMount: false,
    });
  });

  it("keeps what it says", () => {
    const driver: CSIDriver = { metadata: {}, spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } };
    setCsiDriverDefaults(driver);
    expect(driver.spec).toMatchObject({ attachRequired: false, volumeLifecycleModes: ["Ephemeral"] });
  });
});

describe("an attachment", () => {
  it("has the volume it writes out completed", () => {
    const attachment: VolumeAttachment = {
      metadata: {},
      spec: { attacher: "a", nodeName: "n", source: { inlineVolumeSpec: { hostPath: { path: "/" }, capacity: { storage: "1u" } } } },
    };
    setVolumeAttachmentDefaults(attachment);
    expect(attachment.spec.source.inlineVolumeSpec).toEqual({ hostPath: { path: "/", type: "" }, capacity: { storage: "1m" } });
  });
});
