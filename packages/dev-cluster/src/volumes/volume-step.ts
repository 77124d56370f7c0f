/**
 * Binding of a volume claim, one step at a time. Pure: claim, existing volumes → volumeStep → the next write.
 *
 * No storage stands behind a volume. A claim gets an existing volume that suits it, or a new one, whatever its class: every class
 * has a provisioner here. Only a claim with `storageClassName: ""` waits for a volume that a user creates.
 */
import type { PersistentVolume, PersistentVolumeClaim } from "@drover/api/core/v1";
import { definedOnly, getOwn, Quantity, selectorFromLabelSelector } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

type Claim = DeepReadonly<PersistentVolumeClaim>;
type Volume = DeepReadonly<PersistentVolume>;

export type VolumeStep =
  /** Create a new volume for this claim. */
  | { readonly type: "provide"; readonly volume: PersistentVolume }
  /** Set the claim on the volume. */
  | { readonly type: "reserve"; readonly volume: string }
  /** Set the volume on the claim. */
  | { readonly type: "bind"; readonly volume: string }
  /** Set phase Bound on both. */
  | { readonly type: "confirm"; readonly volume: Volume }
  | { readonly type: "lose" }
  /** Nothing to do until something changes. */
  | { readonly type: "rest" };

export const bindAnnotations: Readonly<Record<string, string>> = {
  "pv.kubernetes.io/bind-completed": "yes",
  "pv.kubernetes.io/bound-by-controller": "yes",
};

export function volumeStep(claim: Claim, volumes: Iterable<Volume>): VolumeStep {
  const {
    metadata: { uid = "", deletionTimestamp },
    spec = {},
    status = {},
  } = claim;
  const all = [...volumes];
  const own = all.find((volume) => volume.spec?.claimRef?.uid === uid) ?? all.find((volume) => isReservedFor(volume, claim));
  if (spec.volumeName !== undefined && spec.volumeName !== "") {
    const volume = all.find(({ metadata }) => metadata.name === spec.volumeName);
    if (volume === undefined) return status.phase === "Bound" ? { type: "lose" } : { type: "rest" };
    if (volume.spec?.claimRef?.uid !== uid)
      return volume.spec?.claimRef === undefined || isReservedFor(volume, claim)
        ? { type: "reserve", volume: spec.volumeName }
        : { type: "rest" };
    return status.phase === "Bound" && volume.status?.phase === "Bound" ? { type: "rest" } : { type: "confirm", volume };
  }
  if (deletionTimestamp !== undefined) return { type: "rest" };
  if (own !== undefined)
    return own.spec?.claimRef?.uid === uid ? { type: "bind", volume: nameOf(own) } : { type: "reserve", volume: nameOf(own) };
  const [suited] = all
    .filter((volume) => suits(volume, claim))
    .toSorted((a, b) => sizeOf(a.spec?.capacity).compare(sizeOf(b.spec?.capacity)));
  if (suited !== undefined) return { type: "reserve", volume: nameOf(suited) };
  return spec.storageClassName === "" || spec.selector !== undefined ? { type: "rest" } : { type: "provide", volume: providedFor(claim) };
}

/** What to do with a volume whose claim is gone. */
export function reclaimStep(volume: Volume, hasClaim: boolean): "delete" | "release" | "offer" | "rest" {
  const { metadata, spec, status } = volume;
  if (metadata.deletionTimestamp !== undefined) return "rest";
  if (spec?.claimRef === undefined) return status?.phase === "Available" ? "rest" : "offer";
  // A volume that was only reserved for a claim waits for it.
  if (hasClaim || spec.claimRef.uid === undefined || spec.claimRef.uid === "") return "rest";
  if (spec.persistentVolumeReclaimPolicy === "Delete") return "delete";
  return status?.phase === "Released" ? "rest" : "release";
}

const nameOf = ({ metadata }: Volume): string => metadata.name ?? "";

/** Whether a user reserved it for a claim of this name. */
function isReservedFor({ spec }: Volume, { metadata }: Claim): boolean {
  const { namespace, name, uid = "" } = spec?.claimRef ?? {};
  return uid === "" && namespace === metadata.namespace && name === metadata.name;
}

function suits(volume: Volume, { spec = {} }: Claim): boolean {
  const { claimRef, storageClassName = "", accessModes = [], capacity, volumeMode = "Filesystem" } = volume.spec ?? {};
  if (
    claimRef !== undefined ||
    volume.metadata.deletionTimestamp !== undefined ||
    storageClassName !== (spec.storageClassName ?? "") ||
    volumeMode !== (spec.volumeMode ?? "Filesystem")
  )
    return false;
  const isLabelled = spec.selector === undefined || selectorFromLabelSelector(spec.selector).matches(volume.metadata.labels);
  return (
    isLabelled &&
    (spec.accessModes ?? []).every((mode) => accessModes.includes(mode)) &&
    sizeOf(capacity).compare(sizeOf(spec.resources?.requests)) >= 0
  );
}

const sizeOf = (amounts: DeepReadonly<NonNullable<PersistentVolume["spec"]>["capacity"]>): Quantity =>
  Quantity.fromJson(getOwn(amounts ?? {}, "storage") ?? 0);

function providedFor({ metadata: { name = "", namespace = "", uid = "" }, spec = {} }: Claim): PersistentVolume {
  return {
    metadata: { name: `pvc-${uid}`, annotations: { "pv.kubernetes.io/provisioned-by": "drover.dev/simulated" } },
    spec: {
      capacity: { storage: getOwn(spec.resources?.requests ?? {}, "storage") ?? "1Gi" },
      accessModes: [...(spec.accessModes ?? [])],
      persistentVolumeReclaimPolicy: "Delete",
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid },
      hostPath: { path: `/simulated/pvc-${uid}` },
      ...definedOnly({ storageClassName: spec.storageClassName, volumeMode: spec.volumeMode }),
    },
  };
}
