/** Defaults of pod volumes and of the sources they share with persistent volumes. */
import type { PersistentVolumeSpec, ProjectedVolumeSource, Volume } from "@drover/api/core/v1";
import { setFieldRefDefaults } from "./container-defaults.ts";
import { elements } from "./elements.ts";
import { defaultPullPolicy } from "./image-tag.ts";
import { setClaimSpecDefaults } from "./persistent-volume-claim-defaults.ts";

/** 0644 */
const fileMode = 0o644;
const anHourSeconds = 60 * 60;

export function setVolumeDefaults(volume: Volume): void {
  // A volume without a source is an emptyDir.
  if (Object.keys(volume).every((key) => key === "name")) volume.emptyDir = {};
  const { image, secret, configMap, downwardAPI, projected, ephemeral } = volume;
  if (image !== undefined) image.pullPolicy ||= defaultPullPolicy(image.reference);
  if (secret !== undefined) secret.defaultMode ??= fileMode;
  if (configMap !== undefined) configMap.defaultMode ??= fileMode;
  if (downwardAPI !== undefined) {
    downwardAPI.defaultMode ??= fileMode;
    for (const { fieldRef } of elements(downwardAPI.items)) setFieldRefDefaults(fieldRef);
  }
  if (projected !== undefined) setProjectedDefaults(projected);
  if (ephemeral?.volumeClaimTemplate !== undefined) setClaimSpecDefaults(ephemeral.volumeClaimTemplate.spec);
  setVolumeSourceDefaults(volume);
}

/** Defaults of sources that pods and persistent volumes share. */
export function setVolumeSourceDefaults({ hostPath, rbd, iscsi, azureDisk, scaleIO }: Volume | PersistentVolumeSpec): void {
  if (hostPath !== undefined) hostPath.type ??= "";
  if (rbd !== undefined) {
    rbd.pool ||= "rbd";
    rbd.user ||= "admin";
    rbd.keyring ||= "/etc/ceph/keyring";
  }
  if (iscsi !== undefined) iscsi.iscsiInterface ||= "default";
  if (azureDisk !== undefined) {
    azureDisk.cachingMode ??= "ReadWrite";
    azureDisk.fsType ??= "ext4";
    azureDisk.readOnly ??= false;
    azureDisk.kind ??= "Shared";
  }
  if (scaleIO !== undefined) {
    scaleIO.storageMode ||= "ThinProvisioned";
    scaleIO.fsType ||= "xfs";
  }
}

function setProjectedDefaults(projected: ProjectedVolumeSource): void {
  projected.defaultMode ??= fileMode;
  for (const { downwardAPI, serviceAccountToken } of elements(projected.sources)) {
    for (const { fieldRef } of elements(downwardAPI?.items)) setFieldRefDefaults(fieldRef);
    if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= anHourSeconds;
  }
}
