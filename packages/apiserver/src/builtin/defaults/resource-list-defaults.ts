/** Amounts of resources, by name: how fine they may be, and how one list fills the gaps of another. */
import { Quantity, setOwn } from "@drover/machinery";
import type { QuantityValue } from "@drover/machinery";

/** Amounts by the name of a resource. */
export type ResourceList = Record<string, QuantityValue>;

/** Rounds every amount up to thousandths: nothing finer is kept. */
export function setResourceListDefaults(list: ResourceList | null | undefined): void {
  for (const [name, amount] of Object.entries(list ?? {})) {
    const rounded = roundUpToThousandths(amount);
    if (rounded !== amount) setOwn(list as ResourceList, name, rounded);
  }
}

/** Rounds limits and requests, where there are any. */
export function setRequirementDefaults(
  requirements: { readonly limits?: ResourceList; readonly requests?: ResourceList } | undefined,
): void {
  setResourceListDefaults(requirements?.limits);
  setResourceListDefaults(requirements?.requests);
}

/** A list with everything of the first, and what only the others have; undefined where that is nothing at all. */
export function fillGaps(list: ResourceList | undefined, ...others: (ResourceList | undefined)[]): ResourceList | undefined {
  const filled: ResourceList = { ...list };
  for (const other of others) {
    for (const [name, amount] of Object.entries(other ?? {})) if (!Object.hasOwn(filled, name)) setOwn(filled, name, amount);
  }
  return Object.keys(filled).length === 0 ? undefined : filled;
}

// Only these letters and the point can make an amount finer than a thousandth; looking for them is cheaper than reading every amount.
const mayBeFiner = /[nu.eE]/;

function roundUpToThousandths(amount: QuantityValue): QuantityValue {
  if (!mayBeFiner.test(String(amount))) return amount;
  const exact = Quantity.fromJson(amount);
  const rounded = Quantity.of(exact.milliValue(), { scale: -3, format: exact.format });
  return rounded.equals(exact) ? amount : rounded.toString();
}
