/** Priority: resolves a pod's priority class to its number, and allows one default class. */
import { Pod } from "@drover/api/core/v1";
import { PriorityClass } from "@drover/api/scheduling/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { KeptObjects } from "./kept-objects.ts";
import { writtenPod } from "./pod-write.ts";
import type { WrittenPod } from "./pod-write.ts";
import { refusal } from "./refusal.ts";

interface Priority {
  readonly name: string;
  readonly value: number;
  readonly policy: NonNullable<NonNullable<Pod["spec"]>["preemptionPolicy"]>;
  readonly isDefault: boolean;
}

type Classes = ReadonlyMap<string, Priority>;

/** `classes` is the resource of priority classes. */
export function priority(objects: ObjectStore, classes: Resource): AdmissionPlugin {
  const known = new KeptObjects(objects, classes, (object) => priorityOf(object as unknown as DeepReadonly<PriorityClass>));
  return {
    name: "Priority",
    mutate: (request) => {
      const found = writtenPod(request);
      if (found === undefined) return undefined;
      if (request.operation === "CREATE") return known.use((all) => resolve(request, found, all));
      if (request.operation === "UPDATE") keep(request, found);
      return undefined;
    },
    validate: (request) => {
      const { operation, resource, subresource, object } = request;
      if (resource.kind.plural !== "priorityclasses" || resource.kind.group !== "scheduling.k8s.io" || subresource !== "") return undefined;
      if ((operation !== "CREATE" && operation !== "UPDATE") || object === undefined) return undefined;
      return typedObject(PriorityClass, object).globalDefault === true ? known.use((all) => refuseSecondDefault(request, all)) : undefined;
    },
  };
}

function resolve(request: AdmissionRequest, { spec }: WrittenPod, all: Classes): void {
  const { priorityClassName = "" } = spec;
  const found = priorityClassName === "" ? (defaultOf(all) ?? noClass) : all.get(priorityClassName);
  if (found === undefined) throw refusal(request, `no PriorityClass with name ${priorityClassName} was found`);
  const { name, value, policy } = found;
  if (name !== "") spec.priorityClassName = name;
  const why = (field: string, given: string | number, computed: string | number): string =>
    `the ${field} (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
  if (spec.priority !== undefined && spec.priority !== value)
    throw refusal(request, why("integer value of priority", spec.priority, value));
  spec.priority = value;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy)
    throw refusal(request, why("string value of PreemptionPolicy", spec.preemptionPolicy, policy));
  spec.preemptionPolicy = policy;
}

const noClass: Priority = { name: "", value: 0, policy: "PreemptLowerPriority", isDefault: false };

/** An update that omits the resolved fields keeps them. */
function keep({ old }: AdmissionRequest, { spec }: WrittenPod): void {
  const before = old === undefined ? undefined : typedObject(Pod, old).spec;
  if (spec.priority === undefined && before?.priority !== undefined) spec.priority = before.priority;
  if (spec.preemptionPolicy === undefined && before?.preemptionPolicy !== undefined) spec.preemptionPolicy = before.preemptionPolicy;
}

function refuseSecondDefault(request: AdmissionRequest, all: Classes): void {
  const found = defaultOf(all);
  if (found !== undefined && (request.operation === "CREATE" || found.name !== request.name))
    throw refusal(request, `PriorityClass ${found.name} is already marked as default. Only one default can exist`);
}

/** Of several defaults the lowest counts. */
function defaultOf(all: Classes): Priority | undefined {
  let lowest: Priority | undefined;
  for (const each of all.values()) if (each.isDefault && (lowest === undefined || each.value < lowest.value)) lowest = each;
  return lowest;
}

const priorityOf = ({ metadata, value = 0, preemptionPolicy, globalDefault }: DeepReadonly<PriorityClass>): Priority => ({
  name: metadata.name ?? "",
  value,
  policy: preemptionPolicy ?? "PreemptLowerPriority",
  isDefault: globalDefault === true,
});
