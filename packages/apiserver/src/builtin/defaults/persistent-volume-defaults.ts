/** Persistent volumes, whether they are objects or written out in an attachment. */
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

/** What also holds for a volume that is written out where it is used. */
export function setInlineVolumeDefaults(spec: PersistentVolumeSpec): void {
  setResourceListDefaults(spec.capacity);
  setVolumeSourceDefaults(spec);
}
