/** What daemons put up with, whatever their template says: they are there for nodes that are not well. */
import type { PodSpec, Toleration } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

type Tolerations = readonly DeepReadonly<Toleration>[];

/** A node that does not answer drives nobody away; one under pressure, or cordoned, takes daemons in. */
const always: Tolerations = [
  ...["not-ready", "unreachable"].map((problem) => toleration(problem, "NoExecute")),
  ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map((problem) => toleration(problem, "NoSchedule")),
];

/** Who has the node's network need not wait for that of pods. */
const onHostNetwork: Tolerations = [toleration("network-unavailable", "NoSchedule")];

/**
 * The template's tolerations and those of every daemon. One that differs only in how long it lasts is replaced: daemons
 * have no end of patience.
 */
export function daemonTolerations({
  tolerations = [],
  hostNetwork = false,
}: DeepReadonly<Pick<PodSpec, "tolerations" | "hostNetwork">>): Tolerations {
  const added = hostNetwork ? [...always, ...onHostNetwork] : always;
  const kept = tolerations.map((given) => added.find((one) => isSame(one, given)) ?? given);
  return [...kept, ...added.filter((one) => !kept.includes(one))];
}

function isSame(a: DeepReadonly<Toleration>, b: DeepReadonly<Toleration>): boolean {
  return a.key === b.key && a.effect === b.effect && a.operator === b.operator && (a.value ?? "") === (b.value ?? "");
}

function toleration(problem: string, effect: "NoExecute" | "NoSchedule"): DeepReadonly<Toleration> {
  return { key: `node.kubernetes.io/${problem}`, operator: "Exists", effect };
}
