/** Resource lists: precision, and filling one list from another. */
import { Quantity, setOwn } from "@drover/machinery";
import type { QuantityValue } from "@drover/machinery";

/** Quantities by resource name. */
export type ResourceList = Record<string, QuantityValue>;

/** Rounds every quantity up to thousandths. */
export function setResourceListDefaults(list: ResourceList | null | undefined): void {
  for (const [name, amount] of Object.entries(list ?? {})) {
    const rounded = roundUpToThousandths(amount);
    if (rounded !== amount) setOwn(list as ResourceList, name, rounded);
  }
}

/** Rounds limits and requests. */
export function setRequirementDefaults(
  requirements: { readonly limits?: ResourceList; readonly requests?: ResourceList } | undefined,
): void {
  setResourceListDefaults(requirements?.limits);
  setResourceListDefaults(requirements?.requests);
}

/** Returns the first list plus entries that only the others have; undefined if empty. */
export function fillGaps(list: ResourceList | undefined, ...others: (ResourceList | undefined)[]): ResourceList | undefined {
  const filled: ResourceList = { ...list };
  for (const other of others) {
    for (const [name, amount] of Object.entries(other ?? {})) if (!Object.hasOwn(filled, name)) setOwn(filled, name, amount);
  }
  return Object.keys(filled).length === 0 ? undefined : filled;
}

// Only these characters allow more than three decimals; checking for them is cheaper than parsing every quantity.
const mayBeFiner = /[nu.eE]/;

function roundUpToThousandths(amount: QuantityValue): QuantityValue {
  if (!mayBeFiner.test(String(amount))) return amount;
  const exact = Quantity.fromJson(amount);
  const rounded = Quantity.of(exact.milliValue(), { scale: -3, format: exact.format });
  return rounded.equals(exact) ? amount : rounded.toString();
}
