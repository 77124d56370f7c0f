/**
 * When a pod is created: its ReplicaSet does not exceed its size, its DaemonSet has no second one on the node, and in
 * an ordered StatefulSet all pods before it are ready.
 */
import type { DaemonSet, ReplicaSet, StatefulSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { Allowances } from "./allowance.ts";
import { podsOf } from "./check-replicas.ts";
import type { HistoryCheck, HistoryContext } from "./history-check.ts";
import { isActive, isReady } from "./world.ts";

export function ownedPodsCheck(context: HistoryContext): HistoryCheck {
  const sizes = new Allowances();
  return ({ resource, before, after }) => {
    if (resource === "replicasets" && after !== undefined) {
      const replicaSet = after as DeepReadonly<ReplicaSet>;
      const replicas = replicaSet.spec?.replicas ?? 1;
      sizes.see(replicaSet, replicas, replicas);
    }
    if (resource !== "pods" || before !== undefined || after === undefined) return [];
    const owner = after.metadata.ownerReferences?.find(({ controller }) => controller === true);
    const pod = after as DeepReadonly<Pod>;
    const ownerKey = `${after.metadata.namespace ?? ""}/${owner?.name ?? ""}`;
    if (owner?.kind === "ReplicaSet")
      return tooMany(
        `replicasets/${ownerKey}`,
        podsOf(context.world, owner.uid).filter(isActive).length,
        sizes.most(owner.uid) + context.unsureCreates(),
      );
    if (owner?.kind === "DaemonSet") return tooManyOnNode(context, pod, ownerKey, owner.uid);
    return owner?.kind === "StatefulSet" && context.isGentle ? outOfOrder(context, pod, ownerKey) : [];
  };
}

const tooMany = (what: string, count: number, most: number): readonly string[] =>
  count <= most ? [] : [`${what} has ${count} pods now, and ${most} are allowed`];

function tooManyOnNode({ world, unsureCreates }: HistoryContext, pod: DeepReadonly<Pod>, ownerKey: string, uid: string): readonly string[] {
  const node = nodeOf(pod);
  const set: DeepReadonly<DaemonSet> | undefined = world.get("daemonsets", ownerKey);
  const surge = set?.spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0;
  const count = podsOf(world, uid).filter((other) => isActive(other) && nodeOf(other) === node).length;
  return tooMany(`daemonsets/${ownerKey} on ${node}`, count, (surge === 0 ? 1 : 2) + unsureCreates());
}

/** The node it runs on, or will run on. */
function nodeOf({ spec }: DeepReadonly<Pod>): string {
  const wanted = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms[0]?.matchFields?.find(
    ({ key }) => key === "metadata.name",
  )?.values?.[0];
  return spec?.nodeName ?? wanted ?? "nowhere";
}

function outOfOrder(
  { world }: HistoryContext,
  { metadata: { name = "", namespace = "" } }: DeepReadonly<Pod>,
  ownerKey: string,
): readonly string[] {
  const set: DeepReadonly<StatefulSet> | undefined = world.get("statefulsets", ownerKey);
  if (set === undefined || set.spec?.podManagementPolicy === "Parallel") return [];
  const ordinal = Number(name.slice(name.lastIndexOf("-") + 1));
  const missing = Array.from({ length: ordinal }, (_, index) => `${namespace}/${set.metadata.name ?? ""}-${index}`).filter((key) => {
    const pod = world.get("pods", key);
    return pod === undefined || !isReady(pod) || pod.metadata.deletionTimestamp !== undefined;
  });
  return missing.length === 0 ? [] : [`pods/${namespace}/${name} was made before ${missing.join()} were ready`];
}
