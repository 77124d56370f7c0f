/** Amounts of resources by name, as in requests, limits and overhead. */
import { compareQuantities } from "@drover/machinery";
import type { QuantityValue } from "@drover/machinery";

export type Amounts = Readonly<Record<string, QuantityValue>>;

/** Whether both have the same names with the same quantities: "1" and "1000m" are the same. */
export function areSameAmounts(a: Amounts = {}, b: Amounts = {}): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const [one, other] = [a[name], Object.hasOwn(b, name) ? b[name] : undefined];
      return one !== undefined && other !== undefined && compareQuantities(one, other) === 0;
    })
  );
}
