/**
 * What a Deployment writes on its ReplicaSets, and what of its own annotations it passes on to them.
 *
 *     Deployment → withDeploymentAnnotations, withReplicasAnnotations → ReplicaSet
 */
import { getOwn, setOwn } from "@drover/machinery";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { maxSurge } from "./fenceposts.ts";

/** Annotations as objects hold them. */
export type Annotations = Readonly<Record<string, string>>;

/** Which template of the Deployment this is, counted from one. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
/** Which it was before, when a rollback has made it the newest again. */
export const revisionHistoryAnnotation = "deployment.kubernetes.io/revision-history";
/** How many pods the Deployment asked for when it last scaled the ReplicaSet. */
export const desiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas";
/** How many there could be with its surge. */
export const maxReplicasAnnotation = "deployment.kubernetes.io/max-replicas";
/** Asks for a rollback; "0" for the revision before. */
export const rollbackAnnotation = "deprecated.deployment.rollback.to";

const ownAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  rollbackAnnotation,
]);

/** Whether Deployment and ReplicaSet each have their own, which the other must not get. */
export const isOwnAnnotation = (key: string): boolean => ownAnnotations.has(key);

/** The annotations of a ReplicaSet with those that its Deployment passes on. What the Deployment has no longer stays. */
export function withDeploymentAnnotations(annotations: Annotations, deployment: DeploymentView): Annotations {
  const merged = { ...annotations };
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) if (!isOwnAnnotation(key)) setOwn(merged, key, value);
  return merged;
}

/** A Deployment's own annotations and all others from the ReplicaSet it goes back to. */
export function rolledBackAnnotations(deployment: DeploymentView, replicaSet: ReplicaSetView): Annotations {
  const merged: Record<string, string> = {};
  for (const [key, value] of Object.entries(deployment.metadata.annotations ?? {})) if (isOwnAnnotation(key)) setOwn(merged, key, value);
  for (const [key, value] of Object.entries(replicaSet.metadata.annotations ?? {})) if (!isOwnAnnotation(key)) setOwn(merged, key, value);
  return merged;
}

/** How many pods the Deployment wants, and may have at most while it rolls out, on the ReplicaSet. */
export function withReplicasAnnotations(annotations: Annotations, deployment: DeploymentView): Annotations {
  const replicas = replicasOf(deployment);
  return {
    ...annotations,
    [desiredReplicasAnnotation]: String(replicas),
    [maxReplicasAnnotation]: String(replicas + maxSurge(deployment)),
  };
}

/** Whether these are not yet what `withReplicasAnnotations` would make them. */
export function needsReplicasAnnotations({ metadata: { annotations = {} } }: ReplicaSetView, deployment: DeploymentView): boolean {
  const wanted = withReplicasAnnotations({}, deployment);
  return Object.entries(wanted).some(([key, value]) => getOwn(annotations, key) !== value);
}

/** A number of pods from an annotation of a ReplicaSet; undefined when it is missing, or no number of 32 bits from zero on. */
export function replicasAnnotation({ metadata: { annotations = {} } }: ReplicaSetView, annotation: string): number | undefined {
  const text = getOwn(annotations, annotation);
  if (text === undefined || !/^[0-9]{1,20}$/.test(text)) return undefined;
  const replicas = Number(text);
  return replicas <= 2_147_483_647 ? replicas : undefined;
}
