/** How pods count against quotas: their number, and what they request while they run. */
import { checkQualifiedName, compareBytes, parseTime, seconds } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { Container, Pod, PodAffinityTerm } from "../core/v1.ts";
import { addTo, amountsOf } from "./amounts.ts";
import type { Amounts } from "./amounts.ts";
import { countName, matchesValues, oneOfEach } from "./evaluator.ts";
import type { QuotaEvaluator, ScopeRequirement } from "./evaluator.ts";
import { hasPodLevelResources, podResources } from "./pod-resources.ts";
import { podQosClass } from "./qos.ts";

const resource = { group: "", resource: "pods" } as const;
const podCount = countName(resource);
const compute = ["cpu", "memory", "ephemeral-storage"] as const;
const names: ReadonlySet<string> = new Set([
  podCount,
  "pods",
  ...compute,
  ...compute.map((name) => `requests.${name}`),
  ...compute.map((name) => `limits.${name}`),
]);
/** Names that every container must declare if a quota has them. */
const required: ReadonlySet<string> = new Set(["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"]);
const deviceClassPrefix = "deviceclass.resource.kubernetes.io/";

type ReadonlyPod = DeepReadonly<Pod>;
type Requirements = DeepReadonly<Container>["resources"];

/** `now` is the time in milliseconds since 1970. */
export function podEvaluator(now: () => number): QuotaEvaluator {
  return {
    resource,
    handles: ({ operation, subresource, object, old }) => {
      if (subresource === "resize") return operation === "UPDATE";
      if (subresource !== "") return false;
      return operation === "CREATE" || isTerminatingPod(object as ReadonlyPod) !== isTerminatingPod((old ?? {}) as ReadonlyPod);
    },
    matchingNames: (given) => given.filter((name) => names.has(name) || isHugePages(name) || isExtended(name)),
    matchesScope: (requirement, object) => isInScope(requirement, object as ReadonlyPod),
    missing: (given, object) => missing(given, object as ReadonlyPod),
    usage: (object) => usage(object as ReadonlyPod, now()),
  };
}

/** Whether the pod ends by itself. */
export const isTerminatingPod = ({ spec }: ReadonlyPod): boolean => (spec?.activeDeadlineSeconds ?? -1) >= 0;

/** Whether the pod uses more than its place in storage: not if it has ended, or is stuck in its deletion. */
export function isRunningPod({ metadata, status }: ReadonlyPod, now: number): boolean {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now <= parseTime(deletionTimestamp) + seconds(deletionGracePeriodSeconds);
}

const isHugePages = (name: string): boolean => name.startsWith("hugepages-") || name.startsWith("requests.hugepages-");

const isNative = (name: string): boolean => !name.includes("/") || name.includes("kubernetes.io/");

/** Whether a quota limits an extended resource by this name. */
const isExtended = (name: string): boolean =>
  name.startsWith("requests.") && (!isNative(name) || name.startsWith(`requests.${deviceClassPrefix}`));

/** Whether a container requests an extended resource by this name. */
const isRequestedExtended = (name: string): boolean =>
  name.startsWith(deviceClassPrefix) ||
  (!isNative(name) && !name.startsWith("requests.") && checkQualifiedName(`requests.${name}`).length === 0);

function usage(pod: ReadonlyPod, now: number): Amounts {
  const result = oneOfEach([podCount]);
  if (isRunningPod(pod, now)) addTo(result, computeUsage(podResources(pod, "requests"), podResources(pod, "limits")));
  return result;
}

function computeUsage(requests: Amounts, limits: Amounts): Amounts {
  const result = oneOfEach(["pods"]);
  for (const [name, amount] of requests) {
    const isCompute = (compute as readonly string[]).includes(name);
    if (isCompute || name.startsWith("hugepages-")) result.set(name, amount);
    if (isCompute || name.startsWith("hugepages-") || isRequestedExtended(name)) result.set(`requests.${name}`, amount);
  }
  for (const name of compute) {
    const limit = limits.get(name);
    if (limit !== undefined) result.set(`limits.${name}`, limit);
  }
  return result;
}

function missing(given: readonly string[], pod: ReadonlyPod): string | undefined {
  if (hasPodLevelResources(pod)) return undefined;
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const wanted = given.filter((name) => required.has(name)).toSorted(compareBytes);
  const parts = wanted.flatMap((name) => {
    const without = [...containers, ...initContainers].filter(({ resources }) => !declares(resources, name));
    const unique = new Set(without.map((container) => container.name));
    return unique.size === 0 ? [] : [`${name} for: ${[...unique].toSorted(compareBytes).join(",")}`];
  });
  return parts.length === 0 ? undefined : `must specify ${parts.join("; ")}`;
}

const declares = (resources: Requirements, name: string): boolean =>
  computeUsage(amountsOf(resources?.requests), amountsOf(resources?.limits)).has(name);

function isInScope(requirement: ScopeRequirement, pod: ReadonlyPod): boolean {
  switch (requirement.scopeName) {
    case "Terminating":
      return isTerminatingPod(pod);
    case "NotTerminating":
      return !isTerminatingPod(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass": {
      const { priorityClassName = "" } = pod.spec ?? {};
      return matchesValues(requirement, priorityClassName === "" ? [] : [priorityClassName]);
    }
    case "CrossNamespacePodAffinity":
      return affinityTerms(pod).some(({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined);
    case "VolumeAttributesClass":
    default:
      return false;
  }
}

function isBestEffort({ spec, status }: ReadonlyPod): boolean {
  return (status?.qosClass || podQosClass(spec ?? { containers: [] })) === "BestEffort";
}

function affinityTerms({ spec }: ReadonlyPod): DeepReadonly<PodAffinityTerm>[] {
  return [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
}
