/** Volume sources from before CSI. Most can no longer be mounted, but kube-apiserver still validates them. */
import { fieldChild, fieldInvalid, fieldNotSupported, fieldRequired, fieldKey } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type {
  AzureDiskVolumeSource,
  FCVolumeSource,
  ISCSIVolumeSource,
  QuobyteVolumeSource,
  StorageOSVolumeSource,
  Volume,
} from "@drover/api/core/v1";
import { validateLabelText, validateOptionalChoice } from "../checked-field.ts";
import { validateDescendingPath } from "./volume-path.ts";
import type { VolumeSourceRule } from "./volume-source-rule.ts";

type Source = Readonly<Record<string, unknown>>;
const initiatorForms: ReadonlyMap<string, RegExp> = new Map([
  ["iqn", /iqn\.\d{4}-\d{2}\.([0-9A-Za-z\-.]+)(:[^,;*&$|\s]+)$/],
  ["eui", /^eui.[0-9A-Za-z]{16}$/],
  ["naa", /^naa.[0-9A-Za-z]{32}$/],
]);

/** A source with required fields; `at` is kube-apiserver's name of the source. */
function withRequired(
  field: VolumeSourceRule["field"],
  fields: readonly string[],
  more: (volume: Volume, path: FieldPath) => FieldError[] = () => [],
  at: string = field,
): VolumeSourceRule {
  return {
    field,
    validate: (volume, path) => {
      const source = (volume[field] ?? {}) as Source;
      const missing = fields.filter(
        (name) =>
          source[name] === undefined ||
          source[name] === "" ||
          (Array.isArray(source[name]) && source[name].length === 0) ||
          source[name] === null,
      );
      return [...missing.map((name) => fieldRequired(fieldChild(fieldChild(path, at), name))), ...more(volume, fieldChild(path, at))];
    },
  };
}

/** By kind; `volume-sources.ts` has their order. */
export const retiredVolumeSources: readonly VolumeSourceRule[] = [
  withRequired("gitRepo", ["repository"], ({ gitRepo }, path) =>
    validateDescendingPath(gitRepo?.directory ?? "", fieldChild(path, "directory")),
  ),
  withRequired(
    "gcePersistentDisk",
    ["pdName"],
    ({ gcePersistentDisk }, path) => validatePartition(gcePersistentDisk?.partition, path),
    "persistentDisk",
  ),
  withRequired("awsElasticBlockStore", ["volumeID"], ({ awsElasticBlockStore }, path) =>
    validatePartition(awsElasticBlockStore?.partition, path),
  ),
  withRequired("iscsi", ["targetPortal"], ({ iscsi }, path) => (iscsi === undefined ? [] : validateIscsi(iscsi, path))),
  withRequired("glusterfs", ["endpoints", "path"]),
  withRequired("flocker", [], ({ flocker = {} }, path) => validateFlocker(flocker, path)),
  withRequired("rbd", ["monitors", "image"]),
  withRequired("cinder", ["volumeID"], ({ cinder }, path) => requireSecretName(cinder?.secretRef, path)),
  { ...withRequired("cephfs", ["monitors"]), shownAs: "cephFS" },
  withRequired("quobyte", [], ({ quobyte }, path) => (quobyte === undefined ? [] : validateQuobyte(quobyte, path))),
  withRequired("fc", [], ({ fc = {} }, path) => validateFibreChannel(fc, path)),
  withRequired("flexVolume", ["driver"], ({ flexVolume }, path) =>
    Object.keys(flexVolume?.options ?? {})
      .filter((key) => /\.(?:kubernetes|k8s)\.io$/.test(`.${(key.includes("/") ? key.slice(0, key.indexOf("/")) : key).toLowerCase()}`))
      .map((key) => fieldInvalid(fieldKey(fieldChild(path, "options"), key), key, "kubernetes.io and k8s.io namespaces are reserved")),
  ),
  withRequired("azureFile", ["secretName", "shareName"]),
  withRequired("vsphereVolume", ["volumePath"]),
  withRequired("photonPersistentDisk", ["pdID"]),
  withRequired("portworxVolume", ["volumeID"]),
  withRequired("azureDisk", ["diskName", "diskURI"], ({ azureDisk }, path) =>
    azureDisk === undefined ? [] : validateAzureDisk(azureDisk, path),
  ),
  withRequired("storageos", ["volumeName"], ({ storageos = {} }, path) => validateStorageOs(storageos, path)),
  withRequired("scaleIO", ["gateway", "system", "volumeName"]),
];

function validatePartition(partition = 0, path: FieldPath): FieldError[] {
  return partition < 0 || partition > 255
    ? [fieldInvalid(fieldChild(path, "partition"), partition, "must be between 1 and 255, inclusive")]
    : [];
}

function requireSecretName(secretRef: { readonly name?: string } | undefined, path: FieldPath): FieldError[] {
  return secretRef !== undefined && (secretRef.name ?? "") === "" ? [fieldRequired(fieldChild(path, "secretRef.name"))] : [];
}

function validateIscsi(iscsi: ISCSIVolumeSource, path: FieldPath): FieldError[] {
  const errors = iscsi.iqn === "" ? [fieldRequired(fieldChild(path, "iqn"))] : validateInitiatorName(iscsi.iqn, fieldChild(path, "iqn"));
  if (iscsi.lun < 0 || iscsi.lun > 255)
    errors.push(fieldInvalid(fieldChild(path, "lun"), iscsi.lun, "must be between 0 and 255, inclusive"));
  if ((iscsi.chapAuthDiscovery === true || iscsi.chapAuthSession === true) && iscsi.secretRef === undefined)
    errors.push(fieldRequired(fieldChild(path, "secretRef")));
  if (iscsi.initiatorName !== undefined) errors.push(...validateInitiatorName(iscsi.initiatorName, fieldChild(path, "initiatorname")));
  return errors;
}

function validateInitiatorName(name: string, path: FieldPath): FieldError[] {
  const form = initiatorForms.get(name.slice(0, 3));
  if (form === undefined) return [fieldInvalid(path, name, "must be valid format starting with iqn, eui, or naa")];
  return form.test(name) ? [] : [fieldInvalid(path, name, "must be valid format")];
}

function validateFlocker(
  { datasetName = "", datasetUUID = "" }: { readonly datasetName?: string; readonly datasetUUID?: string },
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (datasetName === "" && datasetUUID === "") errors.push(fieldRequired(path, "one of datasetName and datasetUUID is required"));
  if (datasetName !== "" && datasetUUID !== "")
    errors.push(fieldInvalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously"));
  if (datasetName.includes("/")) errors.push(fieldInvalid(fieldChild(path, "datasetName"), datasetName, "must not contain '/'"));
  return errors;
}

function validateQuobyte({ registry, tenant = "", volume }: QuobyteVolumeSource, path: FieldPath): FieldError[] {
  const pairs = "must be a host:port pair or multiple pairs separated by commas";
  const errors: FieldError[] = [];
  if (registry === "") errors.push(fieldRequired(fieldChild(path, "registry"), pairs));
  else if (tenant.length >= 65)
    errors.push(fieldRequired(fieldChild(path, "tenant"), "must be a UUID and may not exceed a length of 64 characters"));
  else
    errors.push(
      ...registry
        .split(",")
        .filter((pair) => !/^(?:[^:[\]]*|\[[^\]]*\]):[^:]*$/.test(pair))
        .map(() => fieldInvalid(fieldChild(path, "registry"), registry, pairs)),
    );
  return volume === "" ? [...errors, fieldRequired(fieldChild(path, "volume"))] : errors;
}

function validateFibreChannel({ targetWWNs, wwids, lun }: FCVolumeSource, path: FieldPath): FieldError[] {
  const targets = fieldChild(path, "targetWWNs");
  const [named, identified] = [(targetWWNs ?? []).length > 0, (wwids ?? []).length > 0];
  if (!named && !identified) return [fieldRequired(targets, "must specify either targetWWNs or wwids, but not both")];
  const errors = named && identified ? [fieldInvalid(targets, targetWWNs, "targetWWNs and wwids can not be specified simultaneously")] : [];
  if (!named) return errors;
  if (lun === undefined) return [...errors, fieldRequired(fieldChild(path, "lun"), "lun is required if targetWWNs is specified")];
  return lun < 0 || lun > 255 ? [...errors, fieldInvalid(fieldChild(path, "lun"), lun, "must be between 0 and 255, inclusive")] : errors;
}

function validateAzureDisk({ cachingMode, kind, diskURI }: AzureDiskVolumeSource, path: FieldPath): FieldError[] {
  const errors = [
    ...validateOptionalChoice(cachingMode, fieldChild(path, "cachingMode"), ["None", "ReadOnly", "ReadWrite"]),
    ...validateOptionalChoice(kind, fieldChild(path, "kind"), ["Dedicated", "Managed", "Shared"]),
  ];
  const uri = (form: string): FieldError => fieldNotSupported(fieldChild(path, "diskURI"), diskURI, [form]);
  if (kind === "Managed" && !diskURI.startsWith("/subscriptions/"))
    errors.push(uri("/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"));
  if (kind !== undefined && kind !== "Managed" && !diskURI.startsWith("https://"))
    errors.push(uri("https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"));
  return errors;
}

function validateStorageOs({ volumeName = "", volumeNamespace = "", secretRef }: StorageOSVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...(volumeName === "" ? [] : validateLabelText(volumeName, fieldChild(path, "volumeName"))),
    ...(volumeNamespace === "" ? [] : validateLabelText(volumeNamespace, fieldChild(path, "volumeNamespace"))),
    ...requireSecretName(secretRef, path),
  ];
}
