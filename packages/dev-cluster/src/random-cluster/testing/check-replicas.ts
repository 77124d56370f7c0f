/** At the end: ReplicaSets have the right pods, Deployments one ReplicaSet with all of them, and their statuses are true. */
import type { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { controllerUid, isActive, isReady, keyOf } from "./world.ts";
import type { World } from "./world.ts";

export function replicaProblems(world: World): readonly string[] {
  return [
    ...world.all("replicasets").flatMap((replicaSet) => setProblems(world, replicaSet)),
    ...world.all("deployments").flatMap((deployment) => deploymentProblems(world, deployment)),
  ];
}

/** Pods of an owner, in any state. */
export const podsOf = (world: World, uid: string | undefined): readonly DeepReadonly<Pod>[] =>
  world.all("pods").filter((pod) => controllerUid(pod) === uid);

function setProblems(world: World, replicaSet: DeepReadonly<ReplicaSet>): readonly string[] {
  const {
    metadata: { uid },
    spec,
    status,
  } = replicaSet;
  const what = `replicasets/${keyOf(replicaSet)}`;
  const wanted = spec?.replicas ?? 1;
  const pods = podsOf(world, uid).filter(isActive);
  const ready = pods.filter(isReady).length;
  const problems: string[] = [];
  if (pods.length !== wanted || ready !== wanted)
    problems.push(`${what} should have ${wanted} pods, and has ${pods.length}, of which ${ready} are ready`);
  const said = [
    status?.replicas ?? 0,
    status?.fullyLabeledReplicas ?? 0,
    status?.readyReplicas ?? 0,
    status?.availableReplicas ?? 0,
    status?.terminatingReplicas ?? 0,
  ];
  const labels = Object.entries(spec?.template?.metadata?.labels ?? {});
  const counted = [
    pods.length,
    pods.filter(({ metadata }) => labels.every(([key, value]) => metadata.labels?.[key] === value)).length,
    ready,
    ready,
    0,
  ];
  if (!jsonEqual(said, counted))
    problems.push(`${what} says ${said.join("/")} (replicas/labelled/ready/available/terminating), and it is ${counted.join("/")}`);
  return problems;
}

function deploymentProblems(world: World, deployment: DeepReadonly<Deployment>): readonly string[] {
  const {
    metadata: { uid },
    spec,
    status,
  } = deployment;
  const what = `deployments/${keyOf(deployment)}`;
  const wanted = spec?.replicas ?? 1;
  const problems: string[] = [];
  const owned = world.all("replicasets").filter((replicaSet) => controllerUid(replicaSet) === uid);
  const current = owned.filter((replicaSet) => isOfTemplate(replicaSet, deployment));
  if (current.length !== 1)
    problems.push(`${what} should have one ReplicaSet of its template, and has ${current.length} of ${owned.length}`);
  const [newest] = current;
  if (newest !== undefined && newest.spec?.replicas !== wanted)
    problems.push(`${what} should have ${wanted} pods in ${keyOf(newest)}, not ${newest.spec?.replicas ?? 1}`);
  for (const other of owned)
    if (other !== newest && other.spec?.replicas !== 0)
      problems.push(`${what} has ${other.spec?.replicas ?? 1} in the old ${keyOf(other)}`);
  const revision = (replicaSet: DeepReadonly<ReplicaSet>): number =>
    Number(replicaSet.metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
  if (newest !== undefined && owned.some((other) => other !== newest && revision(other) >= revision(newest)))
    problems.push(`${what}: revision ${revision(newest)} of ${keyOf(newest)} is not the highest`);
  const limit = spec?.revisionHistoryLimit ?? 10;
  if (owned.length - current.length > limit)
    problems.push(`${what} keeps ${owned.length - current.length} old ReplicaSets, and ${limit} are allowed`);
  const said = [
    status?.replicas ?? 0,
    status?.updatedReplicas ?? 0,
    status?.readyReplicas ?? 0,
    status?.availableReplicas ?? 0,
    status?.unavailableReplicas ?? 0,
  ];
  const is = [wanted, wanted, wanted, wanted, 0];
  if (!jsonEqual(said, is))
    problems.push(`${what} says ${said.join("/")} (replicas/updated/ready/available/unavailable), and it should be ${is.join("/")}`);
  const progressing = status?.conditions?.find(({ type }) => type === "Progressing");
  if (progressing?.reason !== "NewReplicaSetAvailable")
    problems.push(`${what} has not said that its rollout is complete: ${progressing?.reason ?? "nothing"}`);
  return problems;
}

function isOfTemplate({ spec }: DeepReadonly<ReplicaSet>, deployment: DeepReadonly<Deployment>): boolean {
  const { "pod-template-hash": _hash, ...labels } = spec?.template?.metadata?.labels ?? {};
  return jsonEqual({ ...spec?.template, metadata: { ...spec?.template?.metadata, labels } }, deployment.spec?.template);
}
