/**
 * Defaults of pod-level resources from those of the containers. Assumes that the requests of containers were already defaulted
 * from their limits.
 */
import { Quantity, setOwn } from "@drover/machinery";
import type { Container, PodSpec } from "@drover/api/core/v1";
import { elements } from "./elements.ts";
import { fillGaps } from "./resource-list-defaults.ts";
import type { ResourceList } from "./resource-list-defaults.ts";

export function setPodResourcesDefaults(spec: PodSpec): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const asked = resources.requests ?? {};
  if (!isEmpty(resources.limits) || !isEmpty(asked)) {
    const huge = pick(aggregate(spec, "limits"), (name) => isHugePage(name) && !Object.hasOwn(asked, name));
    assign(resources, "limits", fillGaps(resources.limits, huge));
  }
  if (isEmpty(resources.limits)) return;
  const used = pick(aggregate(spec, "requests"), isOvercommitted);
  assign(resources, "requests", fillGaps(resources.requests, used, pick(resources.limits ?? {}, isKnown)));
}

const isHugePage = (name: string): boolean => name.startsWith("hugepages-");
const isOvercommitted = (name: string): boolean => name === "cpu" || name === "memory";
/** Whether a resource can be set at pod level. */
const isKnown = (name: string): boolean => isOvercommitted(name) || isHugePage(name);

const isEmpty = (list: ResourceList | undefined): boolean => list === undefined || Object.keys(list).length === 0;

/** Returns the sum of the containers, or the maximum over init containers with the sidecars started before them, if that is more. */
function aggregate(spec: PodSpec, part: "limits" | "requests"): ResourceList {
  const listOf = (container: Container): ResourceList => container.resources?.[part] ?? {};
  const sidecars: ResourceList = {};
  const first: ResourceList = {};
  const together: ResourceList = {};
  for (const container of elements(spec.containers)) combine(together, listOf(container), sum);
  for (const container of elements(spec.initContainers)) {
    if (container.restartPolicy === "Always") {
      combine(together, listOf(container), sum);
      combine(sidecars, listOf(container), sum);
    } else {
      const needed: ResourceList = { ...listOf(container) };
      combine(needed, sidecars, sum);
      combine(first, needed, larger);
    }
  }
  combine(together, first, larger);
  return together;
}

const sum = (a: Quantity, b: Quantity): Quantity => a.add(b);
const larger = (a: Quantity, b: Quantity): Quantity => (b.compare(a) > 0 ? b : a);

function combine(into: ResourceList, from: ResourceList, choose: (a: Quantity, b: Quantity) => Quantity): void {
  for (const [name, amount] of Object.entries(from)) {
    const there = Object.hasOwn(into, name) ? into[name] : undefined;
    setOwn(into, name, there === undefined ? amount : choose(Quantity.fromJson(there), Quantity.fromJson(amount)).toString());
  }
}

function pick(list: ResourceList, isWanted: (name: string) => boolean): ResourceList {
  return Object.fromEntries(Object.entries(list).filter(([name]) => isWanted(name)));
}

function assign(
  resources: { limits?: ResourceList; requests?: ResourceList },
  part: "limits" | "requests",
  list: ResourceList | undefined,
): void {
  if (list !== undefined) resources[part] = list;
}
