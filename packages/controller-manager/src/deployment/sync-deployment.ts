/**
 * One sync of one Deployment, at most one step of its rollout.
 *
 *     claim ReplicaSets → deleting? paused? rollback? scaled? → recreate or roll → status → when to sync again
 *
 * The other files of this folder decide; this one asks them in order and acts.
 */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { after, done, stop } from "@drover/controller";
import type { EventRecorder, ReconcileContext, Result } from "@drover/controller";
import { isNotFound, objectKey, SelectorError, selectorFromLabelSelector } from "@drover/machinery";
import type { Clock, Selector } from "@drover/machinery";
import { claimChildren, ownedChildren } from "@drover/patterns";
import { isNamespaceTerminating } from "../shared/pod-control.ts";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { writeDeploymentStatus } from "./deployment-run.ts";
import type { DeploymentRun } from "./deployment-run.ts";
import { deploymentStatus, isComplete, sameDeploymentStatus } from "./deployment-status.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { setsToForget } from "./history-cleanup.ts";
import { activeSets, allSets, newAndOld } from "./new-and-old.ts";
import { createNewSet, syncNewSet } from "./new-replica-set.ts";
import type { Rollout } from "./new-replica-set.ts";
import { pausedStatus } from "./paused.ts";
import { progressCheckMs, rolloutStatus } from "./progress.ts";
import { oldPodsRunning } from "./recreate.ts";
import { rollbackPlan, rollbackRevision } from "./rollback.ts";
import { growNew, shrinkOld } from "./rolling.ts";
import { isScalingEvent, scalingPlan } from "./scale.ts";
import { scaleReplicaSet } from "./scale-replica-set.ts";
import type { Scaling } from "./scale-replica-set.ts";

export interface DeploymentSyncOptions {
  readonly deployments: Pick<InformerView<Deployment>, "get">;
  readonly replicaSets: Pick<InformerView<ReplicaSet>, "byIndex" | "get" | "listIndexValues">;
  readonly pods: Pick<InformerView<Pod>, "byIndex" | "listIndexValues">;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

type Sync = DeploymentRun & Pick<DeploymentSyncOptions, "replicaSets" | "pods">;

/**
 * Syncs a Deployment. Guarantees: one that is being deleted gets only a status; a refusal because the namespace is terminating is
 * no failure.
 */
export async function syncDeployment(
  { key, client, signal }: Pick<ReconcileContext, "key" | "client" | "signal">,
  { deployments, ...options }: DeploymentSyncOptions,
): Promise<Result> {
  const deployment = deployments.get(key);
  if (deployment === undefined) return done;
  const run: Sync = { ...options, client, signal };
  const selector = selectorOf(deployment);
  if (typeof selector === "string") return stop(selector);
  try {
    return selector.isEverything ? await tellSelectingAll(run, deployment) : await syncOwn(run, deployment, selector);
  } catch (error) {
    if (isNamespaceTerminating(error)) return done;
    throw error;
  }
}

async function syncOwn(run: Sync, cached: DeploymentView, selector: Selector): Promise<Result> {
  const candidates = ownedChildren<ReplicaSet>(run.replicaSets, cached, { orphans: true });
  const replicaSets = await claimChildren(candidates, {
    owner: cached,
    ownerKind: Deployment,
    childKind: ReplicaSet,
    selector,
    client: run.client,
    signal: run.signal,
  });
  if (cached.metadata.deletionTimestamp !== undefined) return await writeStatus(run, await syncNewSet(run, rolloutOf(cached, replicaSets)));
  const paused = pausedStatus(cached, run.clock.now());
  const deployment = paused === undefined ? cached : await writeDeploymentStatus(run, cached, paused);
  const rollout = await syncNewSet(run, rolloutOf(deployment, replicaSets));
  if (deployment.spec?.paused === true) return await resize(run, rollout);
  const revision = rollbackRevision(deployment);
  if (revision !== undefined) return await rollBack(run, rollout, revision);
  if (isScalingEvent(deployment, rollout)) return await resize(run, rollout);
  const { type } = deployment.spec?.strategy ?? {};
  if (type === "Recreate") return await recreate(run, rollout);
  if (type === "RollingUpdate") return await roll(run, rollout);
  throw new Error(`unexpected deployment strategy type: ${String(type)}`);
}

const rolloutOf = (deployment: DeploymentView, replicaSets: readonly ReplicaSetView[]): Rollout => ({
  deployment,
  ...newAndOld(deployment, replicaSets),
});

/** The server rejects such a Deployment; one that exists anyway is left alone. */
async function tellSelectingAll(run: Sync, deployment: DeploymentView): Promise<Result> {
  run.events.eventf({
    regarding: deployment,
    type: "Warning",
    reason: "SelectingAll",
    action: "SyncDeployment",
    note: "This deployment is selecting all pods. A non-empty selector is required.",
  });
  const {
    metadata: { generation = 0 },
    status = {},
  } = deployment;
  if ((status.observedGeneration ?? 0) < generation)
    await writeDeploymentStatus(run, deployment, { ...status, observedGeneration: generation });
  return done;
}

async function resize(run: Sync, rollout: Rollout): Promise<Result> {
  const { deployment, oldSets } = rollout;
  await scaleAll(run, deployment, scalingPlan(deployment, rollout));
  if (deployment.spec?.paused === true && rollbackRevision(deployment) === undefined) await forgetOld(run, deployment, oldSets);
  return await writeStatus(run, rollout);
}

async function rollBack(run: Sync, synced: Rollout, revision: bigint): Promise<Result> {
  const rollout = await createNewSet(run, synced, finder(run, synced));
  const { deployment, type, reason, note } = rollbackPlan(rollout.deployment, allSets(rollout), revision);
  const tell = (): void => run.events.eventf({ regarding: rollout.deployment, type, reason, action: "RollbackDeployment", note });
  if (type === "Warning") tell();
  await run.client.update(Deployment, deployment, { namespace: deployment.metadata.namespace ?? "" });
  if (type === "Normal") tell();
  return done;
}

async function recreate(run: Sync, synced: Rollout): Promise<Result> {
  const { deployment, oldSets } = synced;
  if (
    await scaleAll(
      run,
      deployment,
      activeSets(oldSets).map((replicaSet) => ({ replicaSet, replicas: 0 })),
    )
  )
    return await writeRolloutStatus(run, synced);
  if (oldPodsRunning(oldSets, (replicaSet) => ownedChildren<Pod>(run.pods, replicaSet))) return await writeRolloutStatus(run, synced);
  const rollout = await createNewSet(run, synced, finder(run, synced));
  await scaleAll(run, rollout.deployment, [{ replicaSet: rollout.newSet, replicas: replicasOf(rollout.deployment) }]);
  return await finish(run, rollout);
}

async function roll(run: Sync, synced: Rollout): Promise<Result> {
  const rollout = await createNewSet(run, synced, finder(run, synced));
  const { deployment, newSet, oldSets } = rollout;
  const growth = growNew(deployment, newSet, oldSets);
  if (growth !== undefined && (await scaleAll(run, deployment, [growth]))) return await writeRolloutStatus(run, rollout);
  try {
    if (await scaleAll(run, deployment, shrinkOld(deployment, newSet, oldSets))) return await writeRolloutStatus(run, rollout);
  } catch (error) {
    // Writes the status first, then retries; upstream waits for the next event instead.
    await writeRolloutStatus(run, rollout);
    throw error;
  }
  return await finish(run, rollout);
}

async function finish(run: Sync, rollout: Rollout): Promise<Result> {
  const { deployment, oldSets } = rollout;
  if (isComplete(deployment, deployment.status)) await forgetOld(run, deployment, oldSets);
  return await writeRolloutStatus(run, rollout);
}

/** Scales in order until one fails; a ReplicaSet named again is used as it was left. Returns whether a size changed. */
async function scaleAll(run: Sync, deployment: DeploymentView, scalings: readonly Scaling[]): Promise<boolean> {
  const latest = new Map<ReplicaSetView, ReplicaSetView>();
  let hasAny = false;
  for (const scaling of scalings) {
    const { replicaSet, hasScaled } = await scaleReplicaSet(run, deployment, {
      ...scaling,
      replicaSet: latest.get(scaling.replicaSet) ?? scaling.replicaSet,
    });
    latest.set(scaling.replicaSet, replicaSet);
    hasAny ||= hasScaled;
  }
  return hasAny;
}

async function forgetOld({ client }: Sync, deployment: DeploymentView, oldSets: readonly ReplicaSetView[]): Promise<void> {
  for (const {
    metadata: { name = "", namespace = "" },
  } of setsToForget(deployment, oldSets)) {
    await client.delete(ReplicaSet, name, { namespace }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

async function writeStatus(run: Sync, rollout: Rollout): Promise<Result> {
  const { deployment } = rollout;
  const status = deploymentStatus(deployment, rollout, run.clock.now());
  if (!sameDeploymentStatus(deployment.status, status)) await writeDeploymentStatus(run, deployment, status);
  return done;
}

async function writeRolloutStatus(run: Sync, rollout: Rollout): Promise<Result> {
  const { deployment } = rollout;
  const now = run.clock.now();
  const status = rolloutStatus(deployment, rollout, now);
  if (!sameDeploymentStatus(deployment.status, status)) {
    await writeDeploymentStatus(run, deployment, status);
    return done;
  }
  const checkMs = progressCheckMs(deployment, status, now);
  // Timestamps have whole seconds, so one more second is surely past the deadline. Upstream requeues at once, many times, in the
  // last second.
  return checkMs === undefined ? done : after(checkMs + 1000);
}

const finder =
  (run: Sync, { deployment }: Rollout) =>
  (name: string): ReplicaSetView | undefined =>
    run.replicaSets.get(objectKey(name, deployment.metadata.namespace ?? ""));

/** Returns the Deployment's selector, or why it is invalid. */
function selectorOf({ metadata: { namespace, name }, spec }: DeploymentView): Selector | string {
  try {
    return selectorFromLabelSelector(spec?.selector);
  } catch (error) {
    if (error instanceof SelectorError) return `deployment ${namespace}/${name} has invalid label selector: ${error.message}`;
    throw error;
  }
}
