/**
 * Compares the items of a list in pairs, for warnings about two of them.
 *
 *     ports, files of a volume → pairWarnings → warnings of each item
 */
import { budget } from "@drover/machinery";

/** kube-apiserver compares all pairs. A body of 3 MB has room for a hundred thousand items, which are billions of pairs. */
const pairCount = budget({
  name: "apiserver/warning-pairs",
  limit: 20_000,
  unit: "items",
  atLimit: "Further ports, or paths in a volume, are not compared with earlier ones, and get no warning about an overlap.",
  uncounted: "The object is accepted all the same, and a response has room for a few hundred warnings.",
});

export interface Pairing<T> {
  /** Returns what two items must have in common to be compared. */
  readonly groupOf: (item: T) => string;
  /** Returns the warning about two items; undefined for none. */
  readonly warn: (item: T, earlier: T) => string | undefined;
}

/** Returns for each item the warnings about it and earlier items. Guarantees a bounded number of comparisons. */
export function pairWarnings<T>(items: readonly T[], { groupOf, warn }: Pairing<T>): string[][] {
  const groups = new Map<string, T[]>();
  let left = pairCount.limit;
  return items.map((item) => {
    const group = groups.get(groupOf(item)) ?? [];
    const compared = group.slice(0, left);
    left -= compared.length;
    const warnings = compared.flatMap((earlier) => warn(item, earlier) ?? []);
    if (group.push(item) === 1) groups.set(groupOf(item), group);
    return warnings;
  });
}
