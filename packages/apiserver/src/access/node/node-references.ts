/** What pods and volumes refer to: the objects that the kubelet of a node needs for its pods. */
import type { Container, LocalObjectReference, PersistentVolume, Pod, SecretReference, Volume } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

/** A reference to an object in a namespace. */
export interface NamespacedName {
  readonly namespace: string;
  readonly name: string;
}

/** Names of what a pod refers to in its own namespace. They may repeat; none is empty. */
export interface PodReferences {
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
  readonly resourceClaims: readonly string[];
}

export function referencesOfPod(pod: DeepReadonly<Pod>): PodReferences {
  const { imagePullSecrets = [], volumes = [] } = pod.spec ?? {};
  const containers = containersOf(pod);
  return {
    secrets: present([
      ...imagePullSecrets.map(({ name }) => name),
      ...containers.flatMap(({ envFrom = [], env = [] }) => [
        ...envFrom.map(({ secretRef }) => secretRef?.name),
        ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
      ]),
      ...volumes.flatMap(secretsOfVolume),
    ]),
    configMaps: present([
      ...containers.flatMap(({ envFrom = [], env = [] }) => [
        ...envFrom.map(({ configMapRef }) => configMapRef?.name),
        ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
      ]),
      ...volumes.flatMap(({ projected, configMap }) => [
        ...(projected?.sources ?? []).map((source) => source.configMap?.name),
        configMap?.name,
      ]),
    ]),
    claims: present(
      volumes.map(
        ({ name, persistentVolumeClaim, ephemeral }) =>
          persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${pod.metadata.name ?? ""}-${name}`),
      ),
    ),
    resourceClaims: resourceClaimsOf(pod),
  };
}

type AnyContainer = DeepReadonly<Pick<Container, "env" | "envFrom">>;

function containersOf({ spec }: DeepReadonly<Pod>): readonly AnyContainer[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
}

function secretsOfVolume(volume: DeepReadonly<Volume>): readonly (string | undefined)[] {
  const references: readonly (DeepReadonly<LocalObjectReference> | undefined)[] = [
    volume.cephfs?.secretRef,
    volume.cinder?.secretRef,
    volume.flexVolume?.secretRef,
    volume.rbd?.secretRef,
    volume.scaleIO?.secretRef,
    volume.iscsi?.secretRef,
    volume.storageos?.secretRef,
    volume.csi?.nodePublishSecretRef,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret),
  ];
  return [volume.azureFile?.secretName, volume.secret?.secretName, ...references.map((reference) => reference?.name)];
}

/** A claim made from a template has its name in the status; one that is not made yet has none. */
function resourceClaimsOf({ spec, status }: DeepReadonly<Pod>): readonly string[] {
  const made = new Map((status?.resourceClaimStatuses ?? []).map(({ name, resourceClaimName }) => [name, resourceClaimName]));
  return present([
    ...(spec?.resourceClaims ?? []).map(({ name, resourceClaimName }) => resourceClaimName ?? made.get(name)),
    status?.extendedResourceClaimStatus?.resourceClaimName,
  ]);
}

/** Returns the secrets with which a kubelet mounts a volume. Those of an older volume are in the namespace of its claim. */
export function secretsOfPersistentVolume({ spec = {} }: DeepReadonly<PersistentVolume>): readonly NamespacedName[] {
  const claimNamespace = spec.claimRef?.namespace ?? "";
  const inOwn = ({ namespace = "", name = "" }: DeepReadonly<SecretReference> = {}): NamespacedName => ({ namespace, name });
  const inOwnOrClaims = (reference: DeepReadonly<SecretReference> = {}): NamespacedName => ({
    namespace: reference.namespace || claimNamespace,
    name: reference.name ?? "",
  });
  const { azureFile, storageos } = spec;
  const all: readonly NamespacedName[] = [
    { namespace: azureFile?.secretNamespace || claimNamespace, name: azureFile?.secretName ?? "" },
    inOwnOrClaims(spec.cephfs?.secretRef),
    inOwn(spec.cinder?.secretRef),
    inOwnOrClaims(spec.flexVolume?.secretRef),
    inOwnOrClaims(spec.rbd?.secretRef),
    inOwnOrClaims(spec.scaleIO?.secretRef),
    inOwnOrClaims(spec.iscsi?.secretRef),
    { namespace: storageos?.secretRef?.namespace ?? "", name: storageos?.secretRef?.name ?? "" },
    inOwn(spec.csi?.nodePublishSecretRef),
    inOwn(spec.csi?.nodeStageSecretRef),
    inOwn(spec.csi?.nodeExpandSecretRef),
  ];
  return all.filter(({ name }) => name !== "");
}

const present = (names: readonly (string | undefined)[]): readonly string[] =>
  names.filter((name): name is string => name !== undefined && name !== "");
