/** Defaults of PersistentVolume, also inline in a VolumeAttachment. */
import type { PersistentVolume, PersistentVolumeSpec } from "@drover/api/core/v1";
import { setResourceListDefaults } from "./resource-list-defaults.ts";
import { setVolumeSourceDefaults } from "./volume-defaults.ts";

export function setPersistentVolumeDefaults(volume: PersistentVolume): void {
  const status = (volume.status ??= {});
  status.phase ||= "Pending";
  const spec = (volume.spec ??= {});
  spec.persistentVolumeReclaimPolicy ||= "Retain";
  spec.volumeMode ??= "Filesystem";
  setInlineVolumeDefaults(spec);
}

/** Defaults that also apply to an inline volume. */
export function setInlineVolumeDefaults(spec: PersistentVolumeSpec): void {
  setResourceListDefaults(spec.capacity);
  setVolumeSourceDefaults(spec);
}
