/**
 * Sets of indexes as a status writes them: "0,2-5,7".
 *
 *     readIndexes ↔ printIndexes;  uniteIndexes, countIndexes, hasIndex, sharedCount
 */

/** From the first to the last, both included. */
type Interval = readonly [first: number, last: number];

/** Intervals in order, with at least one index missing between two. */
export type IndexSet = readonly Interval[];

/** The indexes below the limit. What cannot be read is passed over: somebody else wrote it, and the rest is as good as before. */
export function readIndexes(text: string | undefined, limit: number): IndexSet {
  const intervals = (text ?? "").split(",").flatMap((part): readonly Interval[] => {
    const [, first, last = first] = /^([0-9]+)(?:-([0-9]+))?$/.exec(part) ?? [];
    if (first === undefined || Number(first) >= limit) return [];
    const end = Math.min(Number(last), limit - 1);
    return end < Number(first) ? [] : [[Number(first), end]];
  });
  return joined(intervals);
}

/** Two neighbours are written "0,1", three "0-2". */
export function printIndexes(indexes: IndexSet): string {
  return indexes.map(([first, last]) => (last === first ? `${first}` : `${first}${last === first + 1 ? "," : "-"}${last}`)).join();
}

/** Those numbers as a set. */
export function indexesOf(numbers: Iterable<number>): IndexSet {
  return joined(Array.from(numbers, (index) => [index, index]));
}

/** What is in any of them. */
export function uniteIndexes(...sets: readonly IndexSet[]): IndexSet {
  return joined(sets.flat());
}

/** How many there are. */
export function countIndexes(indexes: IndexSet): number {
  return indexes.reduce((count, [first, last]) => count + last - first + 1, 0);
}

/** Whether this one is among them; in few steps, however many intervals there are. */
export function hasIndex(indexes: IndexSet, index: number): boolean {
  let [from, to] = [0, indexes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((indexes[middle]?.[1] ?? Infinity) < index) from = middle + 1;
    else to = middle;
  }
  return (indexes[from]?.[0] ?? Infinity) <= index;
}

/** How many are in both. */
export function sharedCount(a: IndexSet, b: IndexSet): number {
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [[firstA, lastA], [firstB, lastB]] = [a[i] ?? [0, -1], b[j] ?? [0, -1]];
    count += Math.max(0, Math.min(lastA, lastB) - Math.max(firstA, firstB) + 1);
    if (lastA <= lastB) i++;
    if (lastB <= lastA) j++;
  }
  return count;
}

/** The lowest numbers below the limit that are not in the set, so many at most. */
export function missingIndexes(indexes: IndexSet, count: number, limit: number): readonly number[] {
  const missing: number[] = [];
  let candidate = 0;
  for (const [first, last] of [...indexes, [limit, limit] as const]) {
    for (; candidate < Math.min(first, limit) && missing.length < count; candidate++) missing.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return missing;
}

function joined(intervals: readonly Interval[]): IndexSet {
  const result: [number, number][] = [];
  for (const [first, last] of intervals.toSorted(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (before === undefined || first > before[1] + 1) result.push([first, last]);
    else before[1] = Math.max(before[1], last);
  }
  return result;
}
