/**
 * Sets of completion indexes as a status writes them: "0,2-5,7".
 *
 *     readIndexes ↔ printIndexes;  uniteIndexes, countIndexes, hasIndex, sharedCount
 */

/** First and last index, both included. */
type Interval = readonly [first: number, last: number];

/** Sorted intervals with a gap between each two. */
export type IndexSet = readonly Interval[];

/** Parses the indexes below the limit. Skips invalid parts, which another client wrote. */
export function readIndexes(text: string | undefined, limit: number): IndexSet {
  const intervals = (text ?? "").split(",").flatMap((part): readonly Interval[] => {
    const [, first, last = first] = /^([0-9]+)(?:-([0-9]+))?$/.exec(part) ?? [];
    if (first === undefined || Number(first) >= limit) return [];
    const end = Math.min(Number(last), limit - 1);
    return end < Number(first) ? [] : [[Number(first), end]];
  });
  return joined(intervals);
}

/** Two neighbours print as "0,1", three as "0-2". */
export function printIndexes(indexes: IndexSet): string {
  return indexes.map(([first, last]) => (last === first ? `${first}` : `${first}${last === first + 1 ? "," : "-"}${last}`)).join();
}

/** Returns these numbers as a set. */
export function indexesOf(numbers: Iterable<number>): IndexSet {
  return joined(Array.from(numbers, (index) => [index, index]));
}

/** Returns the union. */
export function uniteIndexes(...sets: readonly IndexSet[]): IndexSet {
  return joined(sets.flat());
}

/** Returns the number of indexes. */
export function countIndexes(indexes: IndexSet): number {
  return indexes.reduce((count, [first, last]) => count + last - first + 1, 0);
}

/** Whether the set contains the index, by binary search. */
export function hasIndex(indexes: IndexSet, index: number): boolean {
  let [from, to] = [0, indexes.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((indexes[middle]?.[1] ?? Infinity) < index) from = middle + 1;
    else to = middle;
  }
  return (indexes[from]?.[0] ?? Infinity) <= index;
}

/** Returns the number of indexes in both. */
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

/** Returns the lowest indexes below the limit that are missing, at most `count`. */
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
