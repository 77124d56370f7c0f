/**
 * What is to be done for the pods a set asks for: those that have ended make room, those that are missing are created,
 * the others are kept as they should be.
 *
 *     replicas, first to last → planReplicas → steps, and whether anything else has to wait
 */
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { isCreated, isGoing, isHealthy } from "./member-state.ts";
import type { Patience } from "./member-state.ts";

/** `fillClaims` creates claims that are missing; `conform` puts identity, storage and the owners of claims right. */
export type ReplicaTask = "remove" | "create" | "fillClaims" | "conform";

/** A pod and what is to be done for it, in order. */
export interface ReplicaStep {
  readonly pod: PodView;
  readonly tasks: readonly ReplicaTask[];
}

export interface ReplicaPlan {
  readonly steps: readonly ReplicaStep[];
  /** Whether a pod has to be waited for before surplus or outdated pods are looked at. */
  readonly isBlocked: boolean;
}

export interface ReplicaPlanOptions extends Patience {
  readonly isOrdered: boolean;
}

/** In order nothing behind a pod that is not there yet, going, or not available is touched; otherwise all are at once. */
export function planReplicas(replicas: readonly PodView[], options: ReplicaPlanOptions): ReplicaPlan {
  const steps = replicas.map((pod) => ({ pod, tasks: tasksFor(pod, options) }));
  if (!options.isOrdered) return { steps, isBlocked: false };
  const blocking = replicas.findIndex((pod) => !isHealthy(pod, options));
  return blocking < 0 ? { steps, isBlocked: false } : { steps: steps.slice(0, blocking + 1), isBlocked: true };
}

function tasksFor(pod: PodView, options: ReplicaPlanOptions): readonly ReplicaTask[] {
  // Also one that succeeded: what stopped it may have been an eviction or a reboot, whatever its containers made of that.
  if (isPodFinished(pod)) return isGoing(pod) ? [] : ["remove"];
  if (!isCreated(pod)) return ["create"];
  return [
    ...(pod.status?.phase === "Pending" ? ["fillClaims" as const] : []),
    ...(options.isOrdered && !isHealthy(pod, options) ? [] : ["conform" as const]),
  ];
}
