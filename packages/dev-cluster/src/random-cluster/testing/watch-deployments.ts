/**
 * The promise of a rolling update: when a ReplicaSet of a Deployment grows, all of them together stay within
 * `maxSurge`; when a ready pod is deleted, `maxUnavailable` is kept. The second is checked only where nothing else
 * deletes pods.
 */
import type { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import { scaledValueFromIntOrPercent } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { Allowances } from "./allowance.ts";
import { podsOf } from "./check-replicas.ts";
import type { HistoryCheck, HistoryContext } from "./history-check.ts";
import { controllerUid, isActive, isReady, keyOf } from "./world.ts";
import type { World } from "./world.ts";

export function deploymentCheck({ world, isGentle }: HistoryContext): HistoryCheck {
  const allowances = new Allowances();
  return ({ resource, before, after }) => {
    if (resource === "deployments" && after !== undefined) {
      const deployment = after as DeepReadonly<Deployment>;
      const replicas = deployment.spec?.replicas ?? 1;
      const { surge, unavailable } = limitsOf(deployment, replicas);
      allowances.see(deployment, replicas + surge, replicas - unavailable);
    }
    if (resource === "replicasets" && after !== undefined)
      return grown(world, allowances, before as DeepReadonly<ReplicaSet> | undefined, after as DeepReadonly<ReplicaSet>);
    if (resource === "pods" && before !== undefined && isGentle)
      return sentAway(world, allowances, before as DeepReadonly<Pod>, after as DeepReadonly<Pod> | undefined);
    return [];
  };
}

function limitsOf({ spec }: DeepReadonly<Deployment>, replicas: number): { readonly surge: number; readonly unavailable: number } {
  if (spec?.strategy?.type === "Recreate") return { surge: 0, unavailable: replicas };
  const { maxSurge = "25%", maxUnavailable = "25%" } = spec?.strategy?.rollingUpdate ?? {};
  const surge = scaledValueFromIntOrPercent(maxSurge, replicas, { round: "up" });
  const unavailable = scaledValueFromIntOrPercent(maxUnavailable, replicas, { round: "down" });
  // With both at zero nothing could be done.
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

function grown(
  world: World,
  allowances: Allowances,
  before: DeepReadonly<ReplicaSet> | undefined,
  after: DeepReadonly<ReplicaSet>,
): readonly string[] {
  const owner = controllerUid(after);
  if (owner === undefined || (after.spec?.replicas ?? 1) <= (before?.spec?.replicas ?? 0)) return [];
  const sum = setsOf(world, owner).reduce((total, { spec }) => total + (spec?.replicas ?? 1), 0);
  const most = allowances.most(owner);
  return sum <= most
    ? []
    : [`replicasets/${keyOf(after)} grew to ${after.spec?.replicas ?? 1}, which makes ${sum} for its Deployment, and ${most} are allowed`];
}

const setsOf = (world: World, uid: string): readonly DeepReadonly<ReplicaSet>[] =>
  world.all("replicasets").filter((replicaSet) => controllerUid(replicaSet) === uid);

function sentAway(
  world: World,
  allowances: Allowances,
  before: DeepReadonly<Pod>,
  after: DeepReadonly<Pod> | undefined,
): readonly string[] {
  if (!isActive(before) || !isReady(before) || (after !== undefined && isActive(after))) return [];
  const set = world.all("replicasets").find(({ metadata }) => metadata.uid === controllerUid(before));
  const deployment = world.all("deployments").find(({ metadata }) => set !== undefined && metadata.uid === controllerUid(set));
  const namespace = world.get("namespaces", before.metadata.namespace ?? "");
  if (
    set === undefined ||
    deployment === undefined ||
    [set, deployment, namespace].some((each) => each === undefined || each.metadata.deletionTimestamp !== undefined)
  )
    return [];
  const { uid = "" } = deployment.metadata;
  const left = setsOf(world, uid)
    .flatMap(({ metadata }) => podsOf(world, metadata.uid))
    .filter((pod) => isActive(pod) && isReady(pod)).length;
  const least = allowances.least(uid);
  return left >= least
    ? []
    : [
        `pods/${keyOf(before)} was sent away, which leaves ${left} ready pods to deployments/${keyOf(deployment)}, and there should be ${least}`,
      ];
}
