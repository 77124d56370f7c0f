/** Quantities by resource name, and their arithmetic. */
import { compareBytes, Quantity, setOwn } from "@drover/machinery";
import type { DeepReadonly, QuantityValue } from "@drover/machinery";

/** Quantities by resource name: "requests.cpu", "count/jobs.batch". */
export type Amounts = ReadonlyMap<string, Quantity>;

/** Amounts as JSON has them. */
export type ResourceList = Readonly<Record<string, QuantityValue>>;

/** Returns the amounts of a list; none for a missing one. Throws a ValueSyntaxError for what is not a quantity. */
export function amountsOf(list: DeepReadonly<ResourceList> | null | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, value]) => [name, Quantity.fromJson(value)]));
}

/** Returns amounts as JSON, ordered by name as the server writes them. */
export function resourceListOf(amounts: Amounts): Record<string, string> {
  const list: Record<string, string> = {};
  for (const [name, amount] of byName(amounts)) setOwn(list, name, amount.toString());
  return list;
}

/** Adds amounts to a sum, in place. */
export function addTo(sum: Map<string, Quantity>, more: Amounts): void {
  for (const [name, amount] of more) sum.set(name, sum.get(name)?.add(amount) ?? amount);
}

/** Raises amounts to those of the other where these are more, in place. */
export function raiseTo(most: Map<string, Quantity>, other: Amounts): void {
  for (const [name, amount] of other) {
    const known = most.get(name);
    if (known === undefined || known.compare(amount) < 0) most.set(name, amount);
  }
}

/** Returns the sum of both. */
export function sumOfAmounts(one: Amounts, other: Amounts): Amounts {
  const sum = new Map(one);
  addTo(sum, other);
  return sum;
}

/** Returns what the first has more than the other; zero where it has less. */
export function increaseOf(now: Amounts, before: Amounts): Amounts {
  return new Map(
    [...new Set([...now.keys(), ...before.keys()])].map((name) => {
      const more = (now.get(name) ?? Quantity.zero).sub(before.get(name) ?? Quantity.zero);
      return [name, more.sign() > 0 ? more : Quantity.zero];
    }),
  );
}

/** Returns the amounts of these names. */
export function maskAmounts(amounts: Amounts, names: Iterable<string>): Amounts {
  const wanted = new Set(names);
  return new Map([...amounts].filter(([name]) => wanted.has(name)));
}

/** Returns the amounts that are not zero. */
export function nonZero(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([, amount]) => !amount.isZero()));
}

/** Whether both have the same names with equal amounts. */
export function areSameAmounts(one: Amounts, other: Amounts): boolean {
  return one.size === other.size && [...one].every(([name, amount]) => other.get(name)?.equals(amount) === true);
}

/** Prints amounts for a message: "cpu=1,pods=2". */
export function printAmounts(amounts: Amounts): string {
  return byName(amounts)
    .map(([name, amount]) => `${name}=${amount.toString()}`)
    .join(",");
}

const byName = (amounts: Amounts): (readonly [string, Quantity])[] => [...amounts].toSorted(([a], [b]) => compareBytes(a, b));
