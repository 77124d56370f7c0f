/** How much a pod asks for and how much a node has, in whole numbers: millicores of cpu, bytes, pieces. */
import type { Container, Node, Pod } from "@drover/api/core/v1";
import { Quantity } from "@drover/machinery";
import type { DeepReadonly, QuantityValue } from "@drover/machinery";

/** By the name of the resource: "cpu", "memory", "example.com/gpu". */
export type ResourceAmounts = ReadonlyMap<string, number>;

type Quantities = DeepReadonly<Record<string, QuantityValue>> | undefined;

/** Millicores for cpu, else whole units; rounded up, as requests are. */
function amountOf(name: string, value: DeepReadonly<QuantityValue>): number {
  const quantity = Quantity.fromJson(value);
  return Number(quantity.scaledValue(name === "cpu" ? -3 : 0));
}

export function amountsOf(quantities: Quantities): ResourceAmounts {
  return new Map(Object.entries(quantities ?? {}).map(([name, value]) => [name, amountOf(name, value)]));
}

/** What is left for pods; of old nodes that do not say it, all there is. */
export function allocatableOf({ status }: DeepReadonly<Node>): ResourceAmounts {
  return amountsOf(status?.allocatable ?? status?.capacity);
}

/** What both ask for together. */
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
 * What a pod takes of its node: its containers together, or more if a container that runs before them takes more beside
 * the sidecars that have
 * started by then; and its overhead.
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

/** Whoever names only a limit asks for that much. */
function containerRequest({ resources }: DeepReadonly<Container>): ResourceAmounts {
  return new Map([...amountsOf(resources?.limits), ...amountsOf(resources?.requests)]);
}
