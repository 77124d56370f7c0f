import type { CSIDriver, StorageClass, VolumeAttachment } from "@drover/api/storage/v1";
import { describe, expect, it } from "vitest";
import { setCsiDriverDefaults, setStorageClassDefaults, setVolumeAttachmentDefaults } from "./storage-defaults.ts";

describe("defaults of StorageClass", () => {
  it("set reclaim policy Delete and binding mode Immediate", () => {
    const storageClass: StorageClass = { metadata: {}, provisioner: "p" };
    setStorageClassDefaults(storageClass);
    expect(storageClass).toEqual({ metadata: {}, provisioner: "p", reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
  });
});

describe("defaults of CSIDriver", () => {
  it("require attachment of persistent volumes and disable other features", () => {
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

  it("keep explicit values", () => {
    const driver: CSIDriver = { metadata: {}, spec: { attachRequired: false, volumeLifecycleModes: ["Ephemeral"] } };
    setCsiDriverDefaults(driver);
    expect(driver.spec).toMatchObject({ attachRequired: false, volumeLifecycleModes: ["Ephemeral"] });
  });
});

describe("defaults of VolumeAttachment", () => {
  it("complete an inline volume", () => {
    const attachment: VolumeAttachment = {
      metadata: {},
      spec: { attacher: "a", nodeName: "n", source: { inlineVolumeSpec: { hostPath: { path: "/" }, capacity: { storage: "1u" } } } },
    };
    setVolumeAttachmentDefaults(attachment);
    expect(attachment.spec.source.inlineVolumeSpec).toEqual({ hostPath: { path: "/", type: "" }, capacity: { storage: "1m" } });
  });
});
