/** Resource requests and capacities as whole numbers: millicores of CPU, bytes, pieces. */
import type { Container, Node, Pod } from "@drover/api/core/v1";
import { Quantity } from "@drover/machinery";
import type { DeepReadonly, QuantityValue } from "@drover/machinery";

/** By resource name: "cpu", "memory", "example.com/gpu". */
export type ResourceAmounts = ReadonlyMap<string, number>;

type Quantities = DeepReadonly<Record<string, QuantityValue>> | undefined;

/** Millicores for CPU, else whole units; rounded up, as requests are. */
function amountOf(name: string, value: DeepReadonly<QuantityValue>): number {
  const quantity = Quantity.fromJson(value);
  return Number(quantity.scaledValue(name === "cpu" ? -3 : 0));
}

export function amountsOf(quantities: Quantities): ResourceAmounts {
  return new Map(Object.entries(quantities ?? {}).map(([name, value]) => [name, amountOf(name, value)]));
}

/** Returns the allocatable resources; the capacity of old nodes that report none. */
export function allocatableOf({ status }: DeepReadonly<Node>): ResourceAmounts {
  return amountsOf(status?.allocatable ?? status?.capacity);
}

/** Returns the sum of both. */
export function sumOf(left: ResourceAmounts, right: ResourceAmounts): ResourceAmounts {
  return combined(left, right, (a, b) => a + b);
}

function maxOf(left: ResourceAmounts, right: ResourceAmounts): ResourceAmounts {
  return combined(left, right, Math.max);
}

function combined(left: ResourceAmounts, right: ResourceAmounts, combine: (a: number, b: number) => number): ResourceAmounts {
  const amounts = new Map(left);
  for (const [name, amount] of right) amounts.set(name, combine(amounts.get(name) ?? 0, amount));
  return amounts;
}

const nothing: ResourceAmounts = new Map();

/**
 * Returns the effective request of a pod: its containers and sidecars, or an init container with the sidecars before it if that is
 * more; plus its overhead.
 */
export function requestOf({ spec }: DeepReadonly<Pod>): ResourceAmounts {
  const { containers = [], initContainers = [], overhead } = spec ?? {};
  let sidecars = nothing;
  let peak = nothing;
  for (const container of initContainers) {
    const request = containerRequest(container);
    if (container.restartPolicy === "Always") sidecars = sumOf(sidecars, request);
    peak = maxOf(peak, container.restartPolicy === "Always" ? sidecars : sumOf(sidecars, request));
  }
  const running = containers.reduce((sum, container) => sumOf(sum, containerRequest(container)), sidecars);
  return sumOf(maxOf(running, peak), amountsOf(overhead));
}

/** A container with only a limit requests that much. */
function containerRequest({ resources }: DeepReadonly<Container>): ResourceAmounts {
  return new Map([...amountsOf(resources?.limits), ...amountsOf(resources?.requests)]);
}
