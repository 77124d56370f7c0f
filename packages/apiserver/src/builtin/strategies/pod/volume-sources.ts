/** Validation of each kind of volume source, in kube-apiserver's order. */
import { checkDns1123Subdomain, fieldChild, fieldIndex, fieldInvalid, fieldRequired, fieldTooLong } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { ConfigMapVolumeSource, CSIVolumeSource, KeyToPath, NFSVolumeSource } from "@drover/api/core/v1";
import { problemsOf, validateChoice, validateOptionalChoice, validateSubdomain } from "../checked-field.ts";
import { validateDownwardApiVolume } from "./downward-api.ts";
import { retiredVolumeSources } from "./retired-volume-sources.ts";
import { validateKeyToPath, validateProjectedVolume } from "./projected-volume.ts";
import { validateVolumeClaimTemplate } from "./volume-claim-template.ts";
import type { VolumeSourceRule } from "./volume-source-rule.ts";
import { validateFileMode, validateNoBacksteps } from "./volume-path.ts";

const pullPolicies: readonly string[] = ["Always", "IfNotPresent", "Never"];
const hostPathTypes: readonly string[] = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

const common: readonly VolumeSourceRule[] = [
  {
    field: "hostPath",
    validate: ({ hostPath }, path) => validateHostPath(hostPath?.path ?? "", hostPath?.type, fieldChild(path, "hostPath")),
  },
  {
    field: "secret",
    validate: ({ secret = {} }, path) => {
      const { secretName = "", ...rest } = secret;
      return validateKeyed({ field: "secretName", value: secretName }, rest, fieldChild(path, "secret"));
    },
  },
  { field: "nfs", validate: ({ nfs }, path) => (nfs === undefined ? [] : validateNfs(nfs, fieldChild(path, "nfs"))) },
  {
    field: "persistentVolumeClaim",
    validate: ({ persistentVolumeClaim }, path) =>
      persistentVolumeClaim?.claimName === "" ? [fieldRequired(fieldChild(path, "persistentVolumeClaim.claimName"))] : [],
  },
  // kube-apiserver's spelling.
  {
    field: "downwardAPI",
    shownAs: "downwarAPI",
    validate: ({ downwardAPI = {} }, path) => validateDownwardApiVolume(downwardAPI, fieldChild(path, "downwardAPI")),
  },
  {
    field: "configMap",
    validate: ({ configMap = {} }, path) =>
      validateKeyed({ field: "name", value: configMap.name ?? "" }, configMap, fieldChild(path, "configMap")),
  },
  { field: "projected", validate: ({ projected = {} }, path) => validateProjectedVolume(projected, fieldChild(path, "projected")) },
  { field: "csi", validate: ({ csi }, path) => (csi === undefined ? [] : validateCsi(csi, fieldChild(path, "csi"))) },
  {
    field: "ephemeral",
    validate: ({ ephemeral }, path) => {
      const template = fieldChild(path, "ephemeral.volumeClaimTemplate");
      return ephemeral?.volumeClaimTemplate === undefined
        ? [fieldRequired(template)]
        : validateVolumeClaimTemplate(ephemeral.volumeClaimTemplate, template);
    },
  },
  {
    field: "image",
    validate: ({ image = {} }, path, { isPod }) => [
      ...(isPod && (image.reference ?? "") === "" ? [fieldRequired(fieldChild(path, "image.reference"))] : []),
      ...validateChoice(image.pullPolicy, fieldChild(path, "image.pullPolicy"), pullPolicies),
    ],
  },
];

const order: readonly VolumeSourceRule["field"][] = [
  "hostPath",
  "gitRepo",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "secret",
  "nfs",
  "iscsi",
  "glusterfs",
  "flocker",
  "persistentVolumeClaim",
  "rbd",
  "cinder",
  "cephfs",
  "quobyte",
  "downwardAPI",
  "fc",
  "flexVolume",
  "configMap",
  "azureFile",
  "vsphereVolume",
  "photonPersistentDisk",
  "portworxVolume",
  "azureDisk",
  "storageos",
  "projected",
  "scaleIO",
  "csi",
  "ephemeral",
  "image",
];

/** Every kind except `emptyDir`. */
export const volumeSources: readonly VolumeSourceRule[] = [...common, ...retiredVolumeSources].toSorted(
  (a, b) => order.indexOf(a.field) - order.indexOf(b.field),
);

/** A CSI driver name: a DNS name, case-insensitive. */
export function validateCsiDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [fieldRequired(path)];
  const tooLong = name.length > 63 ? [fieldTooLong(path, 63)] : [];
  return [...tooLong, ...problemsOf(path, name, checkDns1123Subdomain(name.toLowerCase()))];
}

function validateHostPath(hostPath: string, type: string | undefined, path: FieldPath): FieldError[] {
  const pathOfPath = fieldChild(path, "path");
  if (hostPath === "") return [fieldRequired(pathOfPath)];
  return [...validateNoBacksteps(hostPath, pathOfPath), ...validateOptionalChoice(type, fieldChild(path, "type"), hostPathTypes)];
}

/** A Secret or ConfigMap, all or some keys. */
function validateKeyed(
  name: { readonly field: string; readonly value: string },
  source: Pick<ConfigMapVolumeSource, "defaultMode" | "items">,
  path: FieldPath,
): FieldError[] {
  return [
    ...(name.value === "" ? [fieldRequired(fieldChild(path, name.field))] : []),
    ...validateFileMode(source.defaultMode, fieldChild(path, "defaultMode")),
    ...(source.items ?? []).flatMap((item: KeyToPath, index) => validateKeyToPath(item, fieldIndex(fieldChild(path, "items"), index))),
  ];
}

function validateNfs(nfs: NFSVolumeSource, path: FieldPath): FieldError[] {
  const pathOfPath = fieldChild(path, "path");
  return [
    ...(nfs.server === "" ? [fieldRequired(fieldChild(path, "server"))] : []),
    ...(nfs.path === "" ? [fieldRequired(pathOfPath)] : []),
    ...(nfs.path.startsWith("/") ? [] : [fieldInvalid(pathOfPath, nfs.path, "must be an absolute path")]),
  ];
}

function validateCsi(csi: CSIVolumeSource, path: FieldPath): FieldError[] {
  const errors = validateCsiDriverName(csi.driver, fieldChild(path, "driver"));
  const { nodePublishSecretRef } = csi;
  if (nodePublishSecretRef === undefined) return errors;
  const { name = "" } = nodePublishSecretRef;
  return [
    ...errors,
    ...(name === "" ? [fieldRequired(fieldChild(path, "nodePublishSecretRef.name"))] : validateSubdomain(name, fieldChild(path, "name"))),
  ];
}
