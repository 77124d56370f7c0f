/**
 * The ReplicaSet of a Deployment's current template: updated, or created.
 *
 *     newAndOld → syncNewSet (annotations, revision) or createNewSet (hash, name, collisions) → a Deployment with its revision
 */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import {
  cloneSelectorAndAddLabel,
  errorText,
  formatTime,
  getOwn,
  isAlreadyExists,
  isControlledBy,
  jsonEqual,
  newControllerRef,
} from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { isNamespaceTerminating } from "../shared/pod-control.ts";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { templateHash } from "../shared/template-hash.ts";
import { revisionAnnotation, withDeploymentAnnotations, withReplicasAnnotations } from "./deployment-annotations.ts";
import type { Annotations } from "./deployment-annotations.ts";
import { findDeploymentCondition, withDeploymentCondition } from "./deployment-conditions.ts";
import { nextRevision, revisionOf, withRevision } from "./deployment-revision.ts";
import { writeDeploymentStatus } from "./deployment-run.ts";
import type { DeploymentRun } from "./deployment-run.ts";
import { progressDeadline } from "./deployment-view.ts";
import type { DeploymentStatusView, DeploymentView } from "./deployment-view.ts";
import { newReplicas } from "./fenceposts.ts";
import type { NewAndOld } from "./new-and-old.ts";
import { progressing } from "./progress.ts";
import { sameTemplate, templateHashLabel } from "./same-template.ts";
import { tellScaling } from "./scale-replica-set.ts";

/** A Deployment and its ReplicaSets after a write. */
export interface Rollout extends NewAndOld {
  readonly deployment: DeploymentView;
}

/** Maximum length of an object name. */
const nameLengthMax = 253;

/** Joins Deployment name and hash, cutting the Deployment name to fit. */
export function replicaSetName(deployment: string, hash: string): string {
  return `${deployment.slice(0, nameLengthMax - 1 - hash.length)}-${hash}`;
}

/** Returns the annotations of the newest ReplicaSet. Returns them unchanged when its revision is not a number, because a user set it. */
export function newSetAnnotations(replicaSet: ReplicaSetView, deployment: DeploymentView, revision: bigint): Annotations {
  const { annotations = {} } = replicaSet.metadata;
  return revisionOf(replicaSet) === undefined && getOwn(annotations, revisionAnnotation) !== ""
    ? annotations
    : withRevision(withDeploymentAnnotations(annotations, deployment), revision);
}

/** Updates the new ReplicaSet if it exists; when it needed no write, updates the Deployment's revision. So one call writes at most once. */
export async function syncNewSet(run: DeploymentRun, { deployment, newSet, oldSets }: Rollout): Promise<Rollout> {
  if (newSet === undefined) return { deployment, newSet, oldSets };
  const annotations = newSetAnnotations(newSet, deployment, nextRevision(oldSets));
  const minReadySeconds = deployment.spec?.minReadySeconds ?? 0;
  if (!jsonEqual(annotations, newSet.metadata.annotations ?? {}) || (newSet.spec?.minReadySeconds ?? 0) !== minReadySeconds) {
    const { metadata, spec = { selector: {} } } = newSet;
    const written = await run.client.update(
      ReplicaSet,
      { ...newSet, metadata: { ...metadata, annotations }, spec: { ...spec, minReadySeconds } },
      { namespace: metadata.namespace ?? "" },
    );
    return { deployment, newSet: written, oldSets };
  }
  const isFound =
    progressDeadline(deployment) !== undefined && findDeploymentCondition(deployment.status?.conditions, progressing) === undefined;
  const revision = getOwn(annotations, revisionAnnotation) ?? "";
  return {
    deployment: await writeRevision(
      run,
      deployment,
      revision,
      isFound ? { reason: "FoundNewReplicaSet", message: `Found new replica set "${newSet.metadata.name}"` } : undefined,
    ),
    newSet,
    oldSets,
  };
}

/** Creates the new ReplicaSet if it is missing. Rejects when that fails, and says so in the Deployment's status. */
export async function createNewSet(
  run: DeploymentRun,
  rollout: Rollout,
  find: (name: string) => ReplicaSetView | undefined,
): Promise<Rollout & { readonly newSet: ReplicaSetView }> {
  const { deployment, newSet, oldSets } = rollout;
  if (newSet !== undefined) return { deployment, newSet, oldSets };
  const revision = nextRevision(oldSets);
  const wanted = newReplicaSet(deployment, oldSets, revision);
  const { wasThere, replicaSet } = await create(run, deployment, wanted, find);
  if (!wasThere && replicasOf(wanted) > 0)
    tellScaling(run.events, deployment, { name: replicaSet.metadata.name ?? "", before: 0, replicas: replicasOf(wanted) });
  const said =
    wasThere || progressDeadline(deployment) === undefined
      ? undefined
      : { reason: "NewReplicaSetCreated", message: `Created new replica set "${replicaSet.metadata.name}"` };
  return { deployment: await writeRevision(run, deployment, String(revision), said), newSet: replicaSet, oldSets };
}

/** Builds the ReplicaSet for a Deployment's template, as large as it may be now. */
export function newReplicaSet(deployment: DeploymentView, oldSets: readonly ReplicaSetView[], revision: bigint): DeepReadonly<ReplicaSet> {
  const { template = {}, selector = {}, minReadySeconds = 0 } = deployment.spec ?? {};
  const { name = "", namespace = "" } = deployment.metadata;
  const hash = templateHash(template, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [templateHashLabel]: hash };
  return {
    metadata: {
      name: replicaSetName(name, hash),
      namespace,
      labels,
      ownerReferences: [newControllerRef(deployment, Deployment)],
      annotations: withReplicasAnnotations(withRevision(withDeploymentAnnotations({}, deployment), revision), deployment),
    },
    spec: {
      replicas: newReplicas(deployment, oldSets, 0),
      minReadySeconds,
      selector: cloneSelectorAndAddLabel(selector, templateHashLabel, hash),
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** `wasThere`: an earlier run created it, and the cache did not show it yet. */
async function create(
  run: DeploymentRun,
  deployment: DeploymentView,
  wanted: DeepReadonly<ReplicaSet>,
  find: (name: string) => ReplicaSetView | undefined,
): Promise<{ readonly wasThere: boolean; readonly replicaSet: ReplicaSetView }> {
  const { name = "", namespace = "" } = wanted.metadata;
  try {
    return { wasThere: false, replicaSet: await run.client.create(ReplicaSet, wanted, { namespace }) };
  } catch (error) {
    if (isAlreadyExists(error)) {
      const replicaSet = find(name) ?? (await run.client.get(ReplicaSet, name, { namespace }));
      if (isControlledBy(replicaSet, deployment) && sameTemplate(deployment.spec?.template, replicaSet.spec?.template))
        return { wasThere: true, replicaSet };
      await writeDeploymentStatus(run, deployment, { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 });
    } else if (!run.signal.aborted && !isNamespaceTerminating(error)) {
      await tellCreateError(run, deployment, `Failed to create new replica set "${name}": ${errorText(error)}`);
    }
    throw error;
  }
}

async function tellCreateError(run: DeploymentRun, deployment: DeploymentView, message: string): Promise<void> {
  const reason = "ReplicaSetCreateError";
  run.events.eventf({ regarding: deployment, type: "Warning", reason, action: "CreateReplicaSet", note: message });
  if (progressDeadline(deployment) === undefined) return;
  // The error of the create matters more than one of this write.
  await writeDeploymentStatus(run, deployment, withProgress(deployment, run.clock.now(), { status: "False", reason, message })).catch(
    () => undefined,
  );
}

/** Writes the Deployment's revision and, if given, its progress; only when one of them changes. */
async function writeRevision(
  run: DeploymentRun,
  deployment: DeploymentView,
  revision: string,
  said: { readonly reason: string; readonly message: string } | undefined,
): Promise<DeploymentView> {
  const { metadata, status = {} } = deployment;
  const { annotations = {} } = metadata;
  if (getOwn(annotations, revisionAnnotation) === revision && said === undefined) return deployment;
  const numbered = { ...deployment, metadata: { ...metadata, annotations: { ...annotations, [revisionAnnotation]: revision } } };
  return await writeDeploymentStatus(
    run,
    numbered,
    said === undefined ? status : withProgress(deployment, run.clock.now(), { status: "True", ...said }),
  );
}

function withProgress(
  { status = {} }: DeploymentView,
  now: number,
  said: { readonly status: "True" | "False"; readonly reason: string; readonly message: string },
): DeploymentStatusView {
  const time = formatTime(now);
  return {
    ...status,
    conditions: withDeploymentCondition(status.conditions, { type: progressing, ...said, lastUpdateTime: time, lastTransitionTime: time }),
  };
}
