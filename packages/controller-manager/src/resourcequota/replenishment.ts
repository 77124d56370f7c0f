/** Which changes of an object may give back something of a quota. */
import type { ContainerStatus, Pod, Service } from "@drover/api/core/v1";
import { amountsOf, areSameAmounts, countedServiceType, isRunningPod, isTerminatingPod } from "@drover/api/quota";
import type { Change } from "@drover/cache";
import type { DeepReadonly, Kind } from "@drover/machinery";

/** Whether quotas must be counted again. `now` is in milliseconds since 1970. */
export function isReplenishing({ group, plural }: Pick<Kind, "group" | "plural">, change: Change, now: number): boolean {
  if (change.type === "deleted") return true;
  if (change.type === "added" || group !== "") return false;
  switch (plural) {
    case "pods":
      return podGivesBack(change.before as DeepReadonly<Pod>, change.object as DeepReadonly<Pod>, now);
    case "services":
      return countedServiceType(change.before as DeepReadonly<Service>) !== countedServiceType(change.object as DeepReadonly<Service>);
    // kube-controller-manager means to compare their allocated storage, and counts after every change.
    case "persistentvolumeclaims":
      return true;
    default:
      return false;
  }
}

function podGivesBack(before: DeepReadonly<Pod>, pod: DeepReadonly<Pod>, now: number): boolean {
  if (isTerminatingPod(before) !== isTerminatingPod(pod)) return true;
  if (isRunningPod(before, now) && !isRunningPod(pod, now)) return true;
  const statuses = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  return [...(before.status?.containerStatuses ?? []), ...(before.status?.initContainerStatuses ?? [])].some((status) => {
    const after = statuses.find(({ name }) => name === status.name);
    return after !== undefined && !isSame(status.resources, after.resources);
  });
}

type Requirements = DeepReadonly<ContainerStatus>["resources"];

const isSame = (one: Requirements, other: Requirements): boolean =>
  areSameAmounts(amountsOf(one?.requests), amountsOf(other?.requests)) && areSameAmounts(amountsOf(one?.limits), amountsOf(other?.limits));
