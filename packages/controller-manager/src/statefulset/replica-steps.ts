/**
 * Steps for the desired pods of a set: delete finished ones, create missing ones, correct the others.
 *
 *     replicas, first to last → planReplicas → steps, and whether anything else has to wait
 */
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { isCreated, isGoing, isHealthy } from "./member-state.ts";
import type { Patience } from "./member-state.ts";

/** `fillClaims` creates missing claims; `conform` corrects identity, storage and the owners of claims. */
export type ReplicaTask = "remove" | "create" | "fillClaims" | "conform";

/** A pod and its steps, in order. */
export interface ReplicaStep {
  readonly pod: PodView;
  readonly tasks: readonly ReplicaTask[];
}

export interface ReplicaPlan {
  readonly steps: readonly ReplicaStep[];
  /** Whether a pod has to be waited for before surplus or outdated pods are handled. */
  readonly isBlocked: boolean;
}

export interface ReplicaPlanOptions extends Patience {
  readonly isOrdered: boolean;
}

/** With ordered management, touches nothing behind a pod that is missing, being deleted or not available; otherwise handles all at once. */
export function planReplicas(replicas: readonly PodView[], options: ReplicaPlanOptions): ReplicaPlan {
  const steps = replicas.map((pod) => ({ pod, tasks: tasksFor(pod, options) }));
  if (!options.isOrdered) return { steps, isBlocked: false };
  const blocking = replicas.findIndex((pod) => !isHealthy(pod, options));
  return blocking < 0 ? { steps, isBlocked: false } : { steps: steps.slice(0, blocking + 1), isBlocked: true };
}

function tasksFor(pod: PodView, options: ReplicaPlanOptions): readonly ReplicaTask[] {
  // Also a pod that succeeded: an eviction or a reboot may have stopped it, whatever its containers reported.
  if (isPodFinished(pod)) return isGoing(pod) ? [] : ["remove"];
  if (!isCreated(pod)) return ["create"];
  return [
    ...(pod.status?.phase === "Pending" ? ["fillClaims" as const] : []),
    ...(options.isOrdered && !isHealthy(pod, options) ? [] : ["conform" as const]),
  ];
}
