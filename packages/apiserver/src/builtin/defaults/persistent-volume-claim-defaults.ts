/** Defaults of PersistentVolumeClaim and of claim templates. */
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "@drover/api/core/v1";
import { setRequirementDefaults, setResourceListDefaults } from "./resource-list-defaults.ts";

export function setPersistentVolumeClaimDefaults(claim: PersistentVolumeClaim): void {
  setClaimSpecDefaults((claim.spec ??= {}));
  const status = (claim.status ??= {});
  status.phase ||= "Pending";
  setResourceListDefaults(status.capacity);
  setResourceListDefaults(status.allocatedResources);
}

export function setClaimSpecDefaults(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= "Filesystem";
  setRequirementDefaults(spec.resources);
}
