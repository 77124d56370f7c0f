/** Checks of the sources of volumes. */
import type { Volume } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { hostPathVolumes } from "./host-checks.ts";
import { plural, quoted, sorted } from "./pod-check.ts";
import type { CheckPod, PodCheck } from "./pod-check.ts";

const allowed = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
] as const satisfies readonly (keyof Volume)[];

/** The first one that is set names the volume. */
const restricted = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
] as const satisfies readonly (keyof Volume)[];

const isAllowed = (volume: DeepReadonly<Volume>): boolean => allowed.some((type) => volume[type] !== undefined);

const checkVolumes: CheckPod = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => !isAllowed(volume));
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map((volume) => restricted.find((type) => volume[type] !== undefined) ?? "unknown"));
  const names = `${plural("volume", "volumes", bad.length)} ${quoted(bad.map(({ name }) => name))} ${plural("uses", "use", bad.length)}`;
  return {
    reason: "restricted volume types",
    detail: `${names} ${plural("restricted volume type", "restricted volume types", types.length)} ${quoted(types)}`,
  };
};

export const restrictedVolumes: PodCheck = {
  id: "restrictedVolumes",
  versions: [{ since: 0, check: checkVolumes, overrides: hostPathVolumes.id }],
};
