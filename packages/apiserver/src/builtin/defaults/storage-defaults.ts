/** Defaults of StorageClass, CSIDriver and VolumeAttachment. */
import type { CSIDriver, StorageClass, VolumeAttachment } from "@drover/api/storage/v1";
import { elements } from "./elements.ts";
import { setInlineVolumeDefaults } from "./persistent-volume-defaults.ts";

export function setStorageClassDefaults(storageClass: StorageClass): void {
  storageClass.reclaimPolicy ??= "Delete";
  storageClass.volumeBindingMode ??= "Immediate";
}

export function setCsiDriverDefaults({ spec }: CSIDriver): void {
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
  if (elements(spec.volumeLifecycleModes).length === 0) spec.volumeLifecycleModes = ["Persistent"];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}

export function setVolumeAttachmentDefaults(attachment: VolumeAttachment): void {
  const { inlineVolumeSpec } = attachment.spec.source;
  if (inlineVolumeSpec !== undefined) setInlineVolumeDefaults(inlineVolumeSpec);
}
