/**
 * Between which numbers of pods a rollout moves: how many there may be beyond what is wanted, and how many may be missing.
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
 * Both as counts. Surge is rounded up and unavailable down; when both come to nothing one pod may be missing, or there
 * would be no way on. Throws a `ValueSyntaxError` for what is no percentage.
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

/** How many pods may be missing while it rolls out; never more than are wanted. */
export function maxUnavailable(deployment: DeploymentView): number {
  const replicas = replicasOf(deployment);
  return replicas === 0 ? 0 : Math.min(fencepostsOf(deployment).unavailable, replicas);
}

/** How many must be available at any time. */
export function minAvailable(deployment: DeploymentView): number {
  return isRollingUpdate(deployment) ? replicasOf(deployment) - maxUnavailable(deployment) : 0;
}

/** How many there may be beyond those wanted. */
export function maxSurge(deployment: DeploymentView): number {
  return fencepostsOf(deployment).surge;
}

/** How large the new ReplicaSet may become by now, given all there are. Throws for a strategy it does not know. */
export function newReplicas(deployment: DeploymentView, all: readonly ReplicaSetView[], current: number): number {
  const replicas = replicasOf(deployment);
  const { type, rollingUpdate } = deployment.spec?.strategy ?? {};
  if (type === "Recreate") return replicas;
  if (type !== "RollingUpdate") throw new Error(`deployment type ${String(type)} isn't supported`);
  const total = all.reduce((sum, replicaSet) => sum + replicasOf(replicaSet), 0);
  const totalMax = replicas + scaledValueFromIntOrPercent(rollingUpdate?.maxSurge ?? 0, replicas, { round: "up" });
  return total >= totalMax ? current : current + Math.min(totalMax - total, replicas - current);
}

/** Of a strategy that cannot be read nothing may be beyond and nothing missing; the server lets none in. */
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
