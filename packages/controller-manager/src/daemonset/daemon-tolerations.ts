/** Tolerations that every daemon pod gets: daemons also run on unhealthy nodes. */
import type { PodSpec, Toleration } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

type Tolerations = readonly DeepReadonly<Toleration>[];

/** Daemons stay on unreachable nodes and start on nodes under pressure or cordoned. */
const always: Tolerations = [
  ...["not-ready", "unreachable"].map((problem) => toleration(problem, "NoExecute")),
  ...["disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"].map((problem) => toleration(problem, "NoSchedule")),
];

/** A pod on the host network does not wait for the pod network. */
const onHostNetwork: Tolerations = [toleration("network-unavailable", "NoSchedule")];

/**
 * Returns the template's tolerations and those of every daemon. Replaces a toleration that differs only in `tolerationSeconds`:
 * daemons tolerate without limit.
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
