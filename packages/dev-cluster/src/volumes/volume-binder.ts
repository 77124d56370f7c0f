/**
 * Binds claims to volumes, without storage behind them, and deletes volumes that are no longer claimed.
 *
 *     claims → keys → volumeStep → volumes, claims       volumes → keys → reclaimStep       volume-protection.ts: finalizers
 */
import { PersistentVolume, PersistentVolumeClaim } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { done, kindSource, needOf } from "@drover/controller";
import type { Handler, KindSource, Manager, ReconcileContext, Result } from "@drover/controller";
import { isAlreadyExists, isNotFound, splitObjectKey } from "@drover/machinery";
import type { DeepReadonly, ObjectKey } from "@drover/machinery";
import { addVolumeProtection, goneClaimHandler } from "./volume-protection.ts";
import { bindAnnotations, reclaimStep, volumeStep } from "./volume-step.ts";

export interface VolumeBinderOptions {
  readonly manager: Manager;
  /**
   * Returns a wrapper that authenticates requests as a service account in kube-system: those of kube-controller-manager's controllers
   * for volumes. @default the requests are the manager's
   */
  readonly credentials?: (serviceAccount: string) => TransportWrapper;
}

type Client = ReconcileContext["client"];

/** Adds the binder, and the controllers that protect volumes and claims in use, to a manager; they start when it runs. */
export function addVolumeBinder({ manager, credentials }: VolumeBinderOptions): void {
  const { cluster } = manager;
  const through = credentials === undefined ? [] : [credentials("persistent-volume-binder")];
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
    through,
    reconcile: (run) => bind(run, claims, volumes),
    writes: [
      needOf(PersistentVolumeClaim, ["update"]),
      needOf(PersistentVolumeClaim, ["update"], { subresource: "status" }),
      needOf(PersistentVolume, ["create", "update"]),
      needOf(PersistentVolume, ["update"], { subresource: "status" }),
    ],
  });
  claimController.watch(claims);
  claimController.watch(volumes);
  const allVolumes = kindSource(PersistentVolume, { cluster, writers: false });
  const volumeController = manager.controller({
    name: "volume-reclaimer",
    workers: 4,
    through,
    reconcile: (run) => reclaim(run, allVolumes, claims),
    writes: [needOf(PersistentVolume, ["delete"]), needOf(PersistentVolume, ["update"], { subresource: "status" })],
  });
  volumeController.watch(allVolumes);
  volumeController.watch(
    kindSource(PersistentVolumeClaim, { cluster, writers: false, name: "PersistentVolumeClaim that has gone", handler: goneClaimHandler }),
  );
  addVolumeProtection({ manager, ...(credentials === undefined ? {} : { credentials }) });
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

async function bind(
  { key, client }: Pick<ReconcileContext, "key" | "client">,
  claims: KindSource<PersistentVolumeClaim>,
  volumes: KindSource<PersistentVolume>,
): Promise<Result> {
  const claim = claims.informer?.get(key);
  if (claim === undefined) return done;
  const all = [...(volumes.informer?.list() ?? [])];
  try {
    await take(volumeStep(claim, all), claim, { client, volumeOf: (name) => all.find(({ metadata }) => metadata.name === name) });
  } catch (error) {
    // The object has gone or come, and the watch reports that. A conflict is retried: it may be about the other object.
    if (!isNotFound(error) && !isAlreadyExists(error)) throw error;
  }
  return done;
}

interface Taking {
  readonly client: Client;
  readonly volumeOf: (name: string) => DeepReadonly<PersistentVolume> | undefined;
}

async function take(
  step: ReturnType<typeof volumeStep>,
  claim: DeepReadonly<PersistentVolumeClaim>,
  { client, volumeOf }: Taking,
): Promise<void> {
  const { name = "", namespace = "", uid = "" } = claim.metadata;
  const claimRef = { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid };
  if (step.type === "provide") await client.create(PersistentVolume, step.volume);
  else if (step.type === "reserve") {
    const volume = volumeOf(step.volume);
    if (volume !== undefined)
      await client.update(PersistentVolume, {
        ...withAnnotations(volume, { "pv.kubernetes.io/bound-by-controller": "yes" }),
        spec: { ...volume.spec, claimRef },
      });
  } else if (step.type === "bind")
    await client.update(
      PersistentVolumeClaim,
      { ...withAnnotations(claim, bindAnnotations), spec: { ...claim.spec, volumeName: step.volume } },
      { namespace },
    );
  else if (step.type === "lose") await setClaimStatus(client, claim, { phase: "Lost" });
  else if (step.type === "confirm") {
    const { spec } = step.volume;
    await setPhase(client, step.volume, "Bound");
    await setClaimStatus(client, claim, { phase: "Bound", accessModes: [...(spec?.accessModes ?? [])], capacity: { ...spec?.capacity } });
  }
}

function withAnnotations<T extends DeepReadonly<PersistentVolume | PersistentVolumeClaim>>(
  object: T,
  annotations: Readonly<Record<string, string>>,
): T {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } };
}

async function setPhase(
  client: Client,
  volume: DeepReadonly<PersistentVolume>,
  phase: NonNullable<NonNullable<PersistentVolume["status"]>["phase"]>,
): Promise<void> {
  if (volume.status?.phase !== phase)
    await client.resource(PersistentVolume).status.update({ ...volume, status: { ...volume.status, phase } });
}

async function setClaimStatus(
  client: Client,
  claim: DeepReadonly<PersistentVolumeClaim>,
  status: NonNullable<PersistentVolumeClaim["status"]>,
): Promise<void> {
  const { namespace = "" } = claim.metadata;
  await client.resource(PersistentVolumeClaim).status.update({ ...claim, status: { ...claim.status, ...status } }, { namespace });
}

async function reclaim(
  { key, client }: Pick<ReconcileContext, "key" | "client">,
  volumes: KindSource<PersistentVolume>,
  claims: KindSource<PersistentVolumeClaim>,
): Promise<Result> {
  const volume = volumes.informer?.get(key);
  if (volume === undefined) return done;
  const { namespace = "", name: claimName = "", uid } = volume.spec?.claimRef ?? {};
  const claim = claims.informer?.get(`${namespace}/${claimName}` as ObjectKey);
  const step = reclaimStep(volume, claim !== undefined && claim.metadata.uid === uid);
  try {
    if (step === "delete") await client.delete(PersistentVolume, splitObjectKey(key).name);
    else if (step !== "rest") await setPhase(client, volume, step === "release" ? "Released" : "Available");
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return done;
}
