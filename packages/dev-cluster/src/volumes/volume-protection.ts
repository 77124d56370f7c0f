/**
 * Keeps claims that pods use and volumes that are claimed: removes their protection finalizers when nothing needs them any more.
 *
 *     claims, pods → keys → finalizer removed from an unused claim       volumes, claims → keys → finalizer removed from a free volume
 */
import { PersistentVolume, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { done, kindSource, needOf } from "@drover/controller";
import type { Handler, Manager } from "@drover/controller";
import { isNotFound } from "@drover/machinery";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";

export interface VolumeProtectionOptions {
  readonly manager: Manager;
  /** Returns a wrapper that authenticates requests as a service account in kube-system. @default the requests are the manager's */
  readonly credentials?: (serviceAccount: string) => TransportWrapper;
}

/** Adds both controllers to a manager: kube-controller-manager's for claims in use and for claimed volumes. */
export function addVolumeProtection({ manager, credentials }: VolumeProtectionOptions): void {
  const throughOf = (account: string): readonly TransportWrapper[] => (credentials === undefined ? [] : [credentials(account)]);
  protectClaims(manager, throughOf("pvc-protection-controller"));
  protectVolumes(manager, throughOf("pv-protection-controller"));
}

function protectClaims(manager: Manager, through: readonly TransportWrapper[]): void {
  const { cluster } = manager;
  const claims = kindSource(PersistentVolumeClaim, { cluster, writers: false });
  const pods = kindSource(Pod, {
    cluster,
    writers: false,
    name: "Pod with claims",
    handler: (change) => claimsOf(change.object).map((key) => ({ key, priority: 0, cause: { type: "change", via: "mapped", change } })),
  });
  const isUsed = (key: ObjectKey): boolean =>
    [...(pods.informer?.list() ?? [])].some(
      (pod) => pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed" && claimsOf(pod).includes(key),
    );
  const controller = manager.controller({
    name: "claim-protection",
    workers: 4,
    through,
    reconcile: async ({ key, client }) => {
      const claim = claims.informer?.get(key);
      if (claim?.metadata.deletionTimestamp === undefined || isUsed(key)) return done;
      const next = withoutFinalizer(claim, "kubernetes.io/pvc-protection");
      const { namespace = "" } = claim.metadata;
      if (next !== undefined) await unlessGone(() => client.update(PersistentVolumeClaim, next, { namespace }));
      return done;
    },
    writes: [needOf(PersistentVolumeClaim, ["update"])],
  });
  controller.watch(claims);
  controller.watch(pods);
}

function protectVolumes(manager: Manager, through: readonly TransportWrapper[]): void {
  const { cluster } = manager;
  const volumes = kindSource(PersistentVolume, { cluster, writers: false });
  const claims = kindSource(PersistentVolumeClaim, {
    cluster,
    writers: false,
    name: "PersistentVolumeClaim that has gone",
    handler: goneClaimHandler,
  });
  const controller = manager.controller({
    name: "volume-protection",
    workers: 4,
    through,
    reconcile: async ({ key, client }) => {
      const volume = volumes.informer?.get(key);
      if (volume?.metadata.deletionTimestamp === undefined) return done;
      const { namespace = "", name = "", uid } = volume.spec?.claimRef ?? {};
      const claim = claims.informer?.get(`${namespace}/${name}` as ObjectKey);
      if (claim !== undefined && claim.metadata.uid === uid) return done;
      const next = withoutFinalizer(volume, "kubernetes.io/pv-protection");
      if (next !== undefined) await unlessGone(() => client.update(PersistentVolume, next));
      return done;
    },
    writes: [needOf(PersistentVolume, ["update"])],
  });
  controller.watch(volumes);
  controller.watch(claims);
}

/** Enqueues the volume of a claim that has gone. */
export const goneClaimHandler: Handler<PersistentVolumeClaim> = (change) => {
  const { volumeName = "" } = change.object.spec ?? {};
  return change.type !== "deleted" || volumeName === ""
    ? []
    : [{ key: volumeName as ObjectKey, priority: 0, cause: { type: "change", via: "mapped", change } }];
};

/** Returns the claims that a pod uses. */
function claimsOf({ metadata: { namespace = "", name = "" }, spec }: DeepReadonly<Pod>): readonly ObjectKey[] {
  return (spec?.volumes ?? []).flatMap(({ name: volume, persistentVolumeClaim, ephemeral }) => {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${name}-${volume}`);
    return claim === undefined ? [] : [`${namespace}/${claim}` as ObjectKey];
  });
}

/** Returns the object without a finalizer; undefined if it has not that one. */
function withoutFinalizer<T extends DeepReadonly<PersistentVolume | PersistentVolumeClaim>>(object: T, finalizer: string): T | undefined {
  const { finalizers = [] } = object.metadata;
  if (!finalizers.includes(finalizer)) return undefined;
  return { ...object, metadata: { ...object.metadata, finalizers: finalizers.filter((each) => each !== finalizer) } };
}

/** The watch reports an object that has gone. */
async function unlessGone(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
