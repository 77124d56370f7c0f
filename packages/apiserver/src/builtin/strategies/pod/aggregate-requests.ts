/** The maximum that a pod's containers request at the same time: init containers run one by one, sidecars keep running. */
import { Quantity } from "@drover/machinery";
import type { Container, PodSpec } from "@drover/api/core/v1";

/** By resource name. */
export function aggregateRequests(spec: PodSpec, field: "requests" | "limits"): ReadonlyMap<string, Quantity> {
  const total = new Map<string, Quantity>();
  for (const container of spec.containers ?? []) addTo(total, amountsOf(container, field));
  const sidecars = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of spec.initContainers ?? []) {
    const amounts = new Map(amountsOf(container, field));
    if (container.restartPolicy === "Always") {
      addTo(total, amounts);
      addTo(sidecars, amounts);
      raiseTo(starting, sidecars);
    } else {
      addTo(amounts, sidecars);
      raiseTo(starting, amounts);
    }
  }
  raiseTo(total, starting);
  return total;
}

function amountsOf({ resources }: Container, field: "requests" | "limits"): ReadonlyMap<string, Quantity> {
  return new Map(Object.entries(resources?.[field] ?? {}).map(([name, value]) => [name, Quantity.fromJson(value)]));
}

function addTo(sum: Map<string, Quantity>, more: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of more) sum.set(name, sum.get(name)?.add(amount) ?? amount);
}

function raiseTo(most: Map<string, Quantity>, other: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of other) {
    const known = most.get(name);
    if (known === undefined || known.compare(amount) < 0) most.set(name, amount);
  }
}
