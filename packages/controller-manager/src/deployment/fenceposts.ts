/**
 * The bounds of a rollout: how many pods may exist beyond the desired number, and how many may be unavailable.
 *
 *     strategy.rollingUpdate: "25%", 2 → resolveFenceposts → maxSurge, maxUnavailable, newReplicas
 */
import { scaledValueFromIntOrPercent, ValueSyntaxError } from "@drover/machinery";
import type { IntOrString } from "@drover/machinery";
import { replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { isRollingUpdate } from "./deployment-view.ts";
import type { DeploymentView } from "./deployment-view.ts";

export interface Fenceposts {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * Resolves both to counts, rounding surge up and unavailable down. When both come to 0, one pod may be unavailable, or the rollout
 * could not proceed. Throws a `ValueSyntaxError` for an invalid percentage.
 */
export function resolveFenceposts(
  surgeValue: IntOrString | undefined,
  unavailableValue: IntOrString | undefined,
  replicas: number,
): Fenceposts {
  const surge = scaledValueFromIntOrPercent(surgeValue ?? 0, replicas, { round: "up" });
  const unavailable = scaledValueFromIntOrPercent(unavailableValue ?? 0, replicas, { round: "down" });
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** Returns how many pods may be unavailable during the rollout, at most the desired number. */
export function maxUnavailable(deployment: DeploymentView): number {
  const replicas = replicasOf(deployment);
  return replicas === 0 ? 0 : Math.min(fencepostsOf(deployment).unavailable, replicas);
}

/** Returns how many pods must be available at any time. */
export function minAvailable(deployment: DeploymentView): number {
  return isRollingUpdate(deployment) ? replicasOf(deployment) - maxUnavailable(deployment) : 0;
}

/** Returns how many pods may exist beyond the desired number. */
export function maxSurge(deployment: DeploymentView): number {
  return fencepostsOf(deployment).surge;
}

/** Returns how large the new ReplicaSet may be now, given the size of all. Throws for an unknown strategy. */
export function newReplicas(deployment: DeploymentView, all: readonly ReplicaSetView[], current: number): number {
  const replicas = replicasOf(deployment);
  const { type, rollingUpdate } = deployment.spec?.strategy ?? {};
  if (type === "Recreate") return replicas;
  if (type !== "RollingUpdate") throw new Error(`deployment type ${String(type)} isn't supported`);
  const total = all.reduce((sum, replicaSet) => sum + replicasOf(replicaSet), 0);
  const totalMax = replicas + scaledValueFromIntOrPercent(rollingUpdate?.maxSurge ?? 0, replicas, { round: "up" });
  return total >= totalMax ? current : current + Math.min(totalMax - total, replicas - current);
}

/** An invalid strategy, which the server rejects, allows neither surge nor unavailable pods. */
function fencepostsOf(deployment: DeploymentView): Fenceposts {
  if (!isRollingUpdate(deployment)) return { surge: 0, unavailable: 0 };
  const { maxSurge: surge, maxUnavailable: unavailable } = deployment.spec?.strategy?.rollingUpdate ?? {};
  try {
    return resolveFenceposts(surge, unavailable, replicasOf(deployment));
  } catch (error) {
    if (error instanceof ValueSyntaxError) return { surge: 0, unavailable: 0 };
    throw error;
  }
}
