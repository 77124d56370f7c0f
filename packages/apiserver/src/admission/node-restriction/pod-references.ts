/** What a pod needs from the API: mirror pods must not need anything. */
import type { Container, PodSpec, ProjectedVolumeSource, Volume } from "@drover/api/core/v1";
import { quoteGo } from "@drover/machinery";

/** Returns the resource that a pod refers to, such as "secrets"; undefined for none. Throws an Error for an unknown kind of volume. */
export function referencedResource(spec: PodSpec): string | undefined {
  const containers: readonly Container[] = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ];
  const volumes = spec.volumes ?? [];
  if ((spec.serviceAccountName ?? "") !== "") return "serviceaccounts";
  const secrets = [
    ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
    ...containers.flatMap(({ envFrom = [], env = [] }) => [
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ]),
    ...volumes.flatMap(secretNames),
  ];
  if (secrets.some(isName)) return "secrets";
  const configMaps = [
    ...containers.flatMap(({ envFrom = [], env = [] }) => [
      ...envFrom.map(({ configMapRef }) => configMapRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ]),
    ...volumes.flatMap(({ configMap, projected }) => [
      configMap?.name,
      ...(projected?.sources ?? []).map(({ configMap: source }) => source?.name),
    ]),
  ];
  if (configMaps.some(isName)) return "configmaps";
  if ((spec.resourceClaims ?? []).length > 0) return "resourceclaims";
  for (const volume of volumes) {
    const found = ofVolume(volume);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isName = (name: string | undefined): boolean => name !== undefined && name !== "";

const secretNames = (volume: Volume): (string | undefined)[] => [
  volume.azureFile?.secretName,
  volume.cephfs?.secretRef?.name,
  volume.cinder?.secretRef?.name,
  volume.flexVolume?.secretRef?.name,
  volume.rbd?.secretRef?.name,
  volume.secret?.secretName,
  volume.scaleIO?.secretRef?.name,
  volume.iscsi?.secretRef?.name,
  volume.storageos?.secretRef?.name,
  volume.csi?.nodePublishSecretRef?.name,
  ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
];

/** Sources that need nothing from the API. */
const local = [
  "awsElasticBlockStore",
  "azureDisk",
  "cephfs",
  "cinder",
  "downwardAPI",
  "emptyDir",
  "fc",
  "flexVolume",
  "flocker",
  "gcePersistentDisk",
  "gitRepo",
  "hostPath",
  "image",
  "iscsi",
  "nfs",
  "photonPersistentDisk",
  "portworxVolume",
  "quobyte",
  "rbd",
  "scaleIO",
  "storageos",
  "vsphereVolume",
] as const satisfies readonly (keyof Volume)[];

const remote: readonly (readonly [source: keyof Volume, resource: string])[] = [
  ["configMap", "configmaps (via configmap volumes)"],
  ["secret", "secrets (via secret volumes)"],
  ["csi", "csidrivers (via CSI volumes)"],
  ["glusterfs", "endpoints (via glusterFS volumes)"],
  ["persistentVolumeClaim", "persistentvolumeclaims"],
  ["ephemeral", "persistentvolumeclaims (via ephemeral volumes)"],
  ["azureFile", "secrets (via azureFile volumes)"],
];

function ofVolume(volume: Volume): string | undefined {
  if (local.some((source) => volume[source] !== undefined)) return undefined;
  const [, resource] = remote.find(([source]) => volume[source] !== undefined) ?? [];
  if (resource !== undefined) return resource;
  // Two spaces, as in kube-apiserver.
  if (volume.projected === undefined) throw new Error(`unknown volume type for volume  ${quoteGo(volume.name)}`);
  return ofProjected(volume.name, volume.projected);
}

type ProjectedSource = keyof NonNullable<ProjectedVolumeSource["sources"]>[number];

const projections: readonly (readonly [source: ProjectedSource, resource: string])[] = [
  ["configMap", "configmaps (via projected volumes)"],
  ["secret", "secrets (via projected volumes)"],
  ["serviceAccountToken", "serviceaccounts (via projected volumes)"],
  ["clusterTrustBundle", "clustertrustbundles"],
  ["podCertificate", "podcertificates"],
];

function ofProjected(name: string, { sources = [] }: ProjectedVolumeSource): string | undefined {
  for (const source of sources) {
    const [, resource] = projections.find(([field]) => source[field] !== undefined) ?? [];
    if (resource !== undefined) return resource;
    if (source.downwardAPI === undefined) throw new Error(`unknown source for projected volume ${quoteGo(name)}`);
  }
  return undefined;
}
