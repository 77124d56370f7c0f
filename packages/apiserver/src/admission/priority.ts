/** Priority: resolves a pod's priority class to its number. */
import { Pod } from "@drover/api/core/v1";
import { PriorityClass } from "@drover/api/scheduling/v1";
import { isJsonObject, newForbidden } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";

interface Priority {
  readonly name: string;
  readonly value: number;
  readonly policy: NonNullable<NonNullable<Pod["spec"]>["preemptionPolicy"]>;
}

/** `classes` is the resource of priority classes. */
export function priority(objects: ObjectStore, classes: Resource): AdmissionPlugin {
  const find = async (name: string): Promise<PriorityClass | undefined> => {
    const found = await objects.get(classes, `${classes.storagePrefix}${name}`);
    return found === undefined ? undefined : typedObject(PriorityClass, found.object);
  };
  const byDefault = async (): Promise<Priority> => {
    const { items } = await objects.store.list(classes.storagePrefix);
    const all = items
      .map((stored) => objects.views(classes).shared(stored) as DeepReadonly<PriorityClass>)
      .filter(({ globalDefault }) => globalDefault === true);
    const [lowest] = all.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0));
    return lowest === undefined ? { name: "", value: 0, policy: "PreemptLowerPriority" } : of(lowest);
  };
  const mutate = async (request: AdmissionRequest): Promise<void> => {
    const {
      operation,
      resource: { kind },
      subresource,
      object,
      name,
      old,
    } = request;
    if (object === undefined || kind.group !== "" || kind.kind !== "Pod" || subresource !== "") return;
    const { spec } = typedObject(Pod, object);
    if (spec === undefined) return;
    if (operation === "UPDATE") {
      // An update that omits the resolved fields keeps them.
      const oldSpec = old?.["spec"];
      if (!isJsonObject(oldSpec)) return;
      if (spec.priority === undefined && typeof oldSpec["priority"] === "number") spec.priority = oldSpec["priority"];
      if (spec.preemptionPolicy === undefined && typeof oldSpec["preemptionPolicy"] === "string")
        spec.preemptionPolicy = oldSpec["preemptionPolicy"] as Priority["policy"];
      return;
    }
    if (operation !== "CREATE") return;
    const { priorityClassName = "" } = spec;
    const named = priorityClassName === "" ? undefined : await find(priorityClassName);
    const refuse = (why: string): never => {
      throw new StatusError(newForbidden({ group: "", resource: "pods" }, name, why));
    };
    if (priorityClassName !== "" && named === undefined) refuse(`no PriorityClass with name ${priorityClassName} was found`);
    const { name: className, value, policy } = named === undefined ? await byDefault() : of(named);
    if (className !== "") spec.priorityClassName = className;
    if (spec.priority !== undefined && spec.priority !== value)
      refuse(
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
      );
    spec.priority = value;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy)
      refuse(
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
      );
    spec.preemptionPolicy = policy;
  };
  return { name: "Priority", mutate };
}

const of = ({ metadata, value = 0, preemptionPolicy = "PreemptLowerPriority" }: DeepReadonly<PriorityClass>): Priority => ({
  name: metadata.name ?? "",
  value,
  policy: preemptionPolicy,
});
