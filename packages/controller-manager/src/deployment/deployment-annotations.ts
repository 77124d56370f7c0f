/**
 * Annotations that a Deployment sets on its ReplicaSets, and those of its own that it copies to them.
 *
 *     Deployment → withDeploymentAnnotations, withReplicasAnnotations → ReplicaSet
 */
import { getOwn, setOwn } from "@drover/machinery";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { maxSurge } from "./fenceposts.ts";

/** Annotations of an object. */
export type Annotations = Readonly<Record<string, string>>;

/** Number of the template, counted from one. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
/** Earlier revisions of a ReplicaSet that a rollback made the newest again. */
export const revisionHistoryAnnotation = "deployment.kubernetes.io/revision-history";
/** Replicas of the Deployment when it last scaled the ReplicaSet. */
export const desiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas";
/** Replicas plus surge of the Deployment at that time. */
export const maxReplicasAnnotation = "deployment.kubernetes.io/max-replicas";
/** Requests a rollback; "0" for the previous revision. */
export const rollbackAnnotation = "deprecated.deployment.rollback.to";

const ownAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  rollbackAnnotation,
]);

/** Whether Deployment and ReplicaSet each have their own value, which is not copied. */
export const isOwnAnnotation = (key: string): boolean => ownAnnotations.has(key);

/** Returns a ReplicaSet's annotations with those copied from its Deployment. Annotations that the Deployment has lost stay. */
export function withDeploymentAnnotations(annotations: Annotations, deployment: DeploymentView): Annotations {
  const merged = { ...annotations };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) if (!isOwnAnnotation(key)) setOwn(merged, key, value);
  return merged;
}

/** Returns the Deployment's own annotations and all others from the ReplicaSet it rolls back to. */
export function rolledBackAnnotations(deployment: DeploymentView, replicaSet: ReplicaSetView): Annotations {
  const merged: Record<string, string> = {};
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) if (isOwnAnnotation(key)) setOwn(merged, key, value);
  for (const [key, value] of Object.entries(replicaSet.metadata.annotations ?? {})) if (!isOwnAnnotation(key)) setOwn(merged, key, value);
  return merged;
}

/** Sets how many pods the Deployment wants, and how many it may have during a rollout. */
export function withReplicasAnnotations(annotations: Annotations, deployment: DeploymentView): Annotations {
  const replicas = replicasOf(deployment);
  return {
    ...annotations,
    [desiredReplicasAnnotation]: String(replicas),
    [maxReplicasAnnotation]: String(replicas + maxSurge(deployment)),
  };
}

/** Whether the annotations differ from what `withReplicasAnnotations` would set. */
export function needsReplicasAnnotations({ metadata: { annotations = {} } }: ReplicaSetView, deployment: DeploymentView): boolean {
  const wanted = withReplicasAnnotations({}, deployment);
  return Object.entries(wanted).some(([key, value]) => getOwn(annotations, key) !== value);
}

/** Parses a number of pods from an annotation; undefined when it is missing or not an int32 ≥ 0. */
export function replicasAnnotation({ metadata: { annotations = {} } }: ReplicaSetView, annotation: string): number | undefined {
  const text = getOwn(annotations, annotation);
  if (text === undefined || !/^[0-9]{1,20}$/.test(text)) return undefined;
  const replicas = Number(text);
  return replicas <= 2_147_483_647 ? replicas : undefined;
}
