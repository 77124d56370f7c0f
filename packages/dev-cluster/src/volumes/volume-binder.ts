/**
 * Binds claims to volumes, without storage behind them, and deletes both when they are no longer used.
 *
 *     claims → keys → volumeStep → volumes, claims       volumes → keys → reclaimStep       pods that go → claims that may go
 */
import { PersistentVolume, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import { done, kindSource, needOf } from "@drover/controller";
import type { Handler, KindSource, Manager, ReconcileContext, Result } from "@drover/controller";
import { definedOnly, isAlreadyExists, isConflict, isNotFound, splitObjectKey } from "@drover/machinery";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";
import { bindAnnotations, reclaimStep, volumeStep } from "./volume-step.ts";

export interface VolumeBinderOptions {
  readonly manager: Manager;
}

type Client = ReconcileContext["client"];

/** Adds the binder to a manager; it starts when the manager runs. */
export function addVolumeBinder({ manager }: VolumeBinderOptions): void {
  const { cluster } = manager;
  const pods = kindSource(Pod, {
    cluster,
    writers: false,
    name: "Pod with claims",
    handler: (change) => claimsOf(change.object).map((key) => ({ key, priority: 0, cause: { type: "change", via: "mapped", change } })),
  });
  const claims = kindSource(PersistentVolumeClaim, { cluster, writers: false });
  const volumes = kindSource(PersistentVolume, {
    cluster,
    writers: false,
    name: "PersistentVolume for a claim",
    handler: volumeHandler(claims),
  });
  const claimController = manager.controller({
    name: "volume-binder",
    workers: 4,
    reconcile: (run) => bind(run, claims, volumes, pods),
    writes: [
      needOf(PersistentVolumeClaim, ["patch"]),
      needOf(PersistentVolumeClaim, ["patch"], { subresource: "status" }),
      needOf(PersistentVolume, ["create", "patch"]),
      needOf(PersistentVolume, ["patch"], { subresource: "status" }),
    ],
  });
  claimController.watch(claims);
  claimController.watch(volumes);
  claimController.watch(pods);
  const allVolumes = kindSource(PersistentVolume, { cluster, writers: false });
  const volumeController = manager.controller({
    name: "volume-reclaimer",
    workers: 4,
    reconcile: (run) => reclaim(run, allVolumes, claims),
    writes: [needOf(PersistentVolume, ["delete", "patch"]), needOf(PersistentVolume, ["patch"], { subresource: "status" })],
  });
  volumeController.watch(allVolumes);
  volumeController.watch(
    kindSource(PersistentVolumeClaim, { cluster, writers: false, name: "PersistentVolumeClaim that has gone", handler: goneClaimHandler }),
  );
}

/** Returns the claims that a pod uses. */
function claimsOf({ metadata: { namespace = "", name = "" }, spec }: DeepReadonly<Pod>): readonly ObjectKey[] {
  return (spec?.volumes ?? []).flatMap(({ name: volume, persistentVolumeClaim, ephemeral }) => {
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral === undefined ? undefined : `${name}-${volume}`);
    return claim === undefined ? [] : [`${namespace}/${claim}` as ObjectKey];
  });
}

/** Enqueues the volume's claim; a free volume may suit any unbound claim. */
function volumeHandler(claims: KindSource<PersistentVolumeClaim>): Handler<PersistentVolume> {
  return (change) => {
    const { claimRef } = change.object.spec ?? {};
    const waiting =
      claimRef === undefined
        ? [...(claims.informer?.list() ?? [])].filter(({ spec }) => (spec?.volumeName ?? "") === "").map(({ metadata }) => metadata)
        : [claimRef];
    return waiting.map(({ namespace = "", name = "" }) => ({
      key: `${namespace}/${name}` as ObjectKey,
      priority: 0,
      cause: { type: "change", via: "mapped", change },
    }));
  };
}

const goneClaimHandler: Handler<PersistentVolumeClaim> = (change) => {
  const { volumeName = "" } = change.object.spec ?? {};
  return change.type !== "deleted" || volumeName === ""
    ? []
    : [{ key: volumeName as ObjectKey, priority: 0, cause: { type: "change", via: "mapped", change } }];
};

async function bind(
  { key, client }: Pick<ReconcileContext, "key" | "client">,
  claims: KindSource<PersistentVolumeClaim>,
  volumes: KindSource<PersistentVolume>,
  pods: KindSource<Pod>,
): Promise<Result> {
  const claim = claims.informer?.get(key);
  if (claim === undefined) return done;
  const isUsed = (): boolean =>
    [...(pods.informer?.list() ?? [])].some(
      (pod) => pod.status?.phase !== "Succeeded" && pod.status?.phase !== "Failed" && claimsOf(pod).includes(key),
    );
  try {
    if (claim.metadata.deletionTimestamp !== undefined && !isUsed())
      await withoutFinalizer(client, PersistentVolumeClaim, claim, "kubernetes.io/pvc-protection");
    else await take(volumeStep(claim, volumes.informer?.list() ?? []), claim, client);
  } catch (error) {
    // The object changed meanwhile, and the watch reports that.
    if (!isConflict(error) && !isNotFound(error) && !isAlreadyExists(error)) throw error;
  }
  return done;
}

async function take(step: ReturnType<typeof volumeStep>, claim: DeepReadonly<PersistentVolumeClaim>, client: Client): Promise<void> {
  const { name = "", namespace = "", uid = "" } = claim.metadata;
  const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid };
  if (step.type === "provide") await client.create(PersistentVolume, step.volume);
  else if (step.type === "reserve")
    await client.patch(PersistentVolume, step.volume, {
      type: "merge",
      body: { metadata: { annotations: { "pv.kubernetes.io/bound-by-controller": "yes" } }, spec: { claimRef } },
    });
  else if (step.type === "bind")
    await client.patch(
      PersistentVolumeClaim,
      name,
      { type: "merge", body: { metadata: { uid, annotations: { ...bindAnnotations } }, spec: { volumeName: step.volume } } },
      { namespace },
    );
  else if (step.type === "lose")
    await client
      .resource(PersistentVolumeClaim)
      .status.patch(name, { type: "merge", body: { metadata: { uid }, status: { phase: "Lost" } } }, { namespace });
  else if (step.type === "confirm") {
    const { metadata, spec } = step.volume;
    await client.resource(PersistentVolume).status.patch(metadata.name ?? "", { type: "merge", body: { status: { phase: "Bound" } } });
    await client.resource(PersistentVolumeClaim).status.patch(
      name,
      {
        type: "merge",
        body: {
          metadata: { uid },
          status: { phase: "Bound", accessModes: [...(spec?.accessModes ?? [])], capacity: { ...spec?.capacity } },
        },
      },
      { namespace },
    );
  }
}

async function reclaim(
  { key, client }: Pick<ReconcileContext, "key" | "client">,
  volumes: KindSource<PersistentVolume>,
  claims: KindSource<PersistentVolumeClaim>,
): Promise<Result> {
  const volume = volumes.informer?.get(key);
  if (volume === undefined) return done;
  const { name } = splitObjectKey(key);
  const { namespace = "", name: claimName = "", uid } = volume.spec?.claimRef ?? {};
  const claim = claims.informer?.get(`${namespace}/${claimName}` as ObjectKey);
  const hasClaim = claim !== undefined && claim.metadata.uid === uid;
  const step = reclaimStep(volume, hasClaim);
  try {
    if (volume.metadata.deletionTimestamp !== undefined && !hasClaim)
      await withoutFinalizer(client, PersistentVolume, volume, "kubernetes.io/pv-protection");
    else if (step === "delete") await client.delete(PersistentVolume, name);
    else if (step !== "rest")
      await client
        .resource(PersistentVolume)
        .status.patch(name, { type: "merge", body: { status: { phase: step === "release" ? "Released" : "Available" } } });
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
  return done;
}

async function withoutFinalizer(
  client: Client,
  kind: typeof PersistentVolume | typeof PersistentVolumeClaim,
  { metadata }: DeepReadonly<PersistentVolume | PersistentVolumeClaim>,
  finalizer: string,
): Promise<void> {
  const { name = "", namespace, resourceVersion, finalizers = [] } = metadata;
  if (!finalizers.includes(finalizer)) return;
  const body = {
    metadata: {
      ...definedOnly({ resourceVersion }),
      finalizers: finalizers.filter((each) => each !== finalizer),
    },
  };
  if (kind === PersistentVolume) await client.patch(PersistentVolume, name, { type: "merge", body });
  else await client.patch(PersistentVolumeClaim, name, { type: "merge", body }, definedOnly({ namespace }));
}
