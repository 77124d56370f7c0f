/** What a whole pod requests, and its limits: containers, pod-level resources, overhead, and a resize that is under way. */
import type { DeepReadonly } from "@drover/machinery";
import type { Container, ContainerStatus, Pod } from "../core/v1.ts";
import { aggregateRequests } from "./aggregate-requests.ts";
import type { RequirementField } from "./aggregate-requests.ts";
import { addTo, amountsOf, raiseTo } from "./amounts.ts";
import type { Amounts } from "./amounts.ts";

/** Whether the resource can be set for a pod instead of its containers. */
export const isPodLevelResource = (name: string): boolean => name === "cpu" || name === "memory" || name.startsWith("hugepages-");

/** Whether the pod sets resources at pod level. */
export function hasPodLevelResources({ spec }: DeepReadonly<Pod>): boolean {
  const { requests, limits } = spec?.resources ?? {};
  return Object.keys({ ...requests, ...limits }).some(isPodLevelResource);
}

/** Returns the amounts that count: for a container that is being resized the most of what it has, gets and wants. */
export function podResources(pod: DeepReadonly<Pod>, field: RequirementField): Amounts {
  const { containers = [], initContainers = [], resources, overhead } = pod.spec ?? {};
  const statuses = new Map(
    [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])].map((status) => [status.name, status]),
  );
  const isInfeasible = pod.status?.conditions?.find(({ type }) => type === "PodResizePending")?.reason === "Infeasible";
  const started = new Set(initContainers.filter(({ restartPolicy }) => restartPolicy !== "Always"));
  const total = aggregateRequests({ containers, initContainers }, field, (container) =>
    effective(container, field, started.has(container) ? undefined : statuses.get(container.name), isInfeasible),
  );
  for (const [name, amount] of amountsOf(resources?.[field])) if (isPodLevelResource(name)) total.set(name, amount);
  const extra = amountsOf(overhead);
  addTo(total, field === "requests" ? extra : new Map([...extra].filter(([name]) => total.get(name)?.isZero() === false)));
  return total;
}

function effective(
  { resources }: DeepReadonly<Container>,
  field: RequirementField,
  status: DeepReadonly<ContainerStatus> | undefined,
  isInfeasible: boolean,
): Amounts {
  const wanted = amountsOf(resources?.[field]);
  if (status?.resources === undefined) return wanted;
  const most = new Map(isInfeasible ? [] : wanted);
  raiseTo(most, amountsOf(status.resources[field]));
  if (field === "requests") raiseTo(most, amountsOf(status.allocatedResources));
  return most;
}
