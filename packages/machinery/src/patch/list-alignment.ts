/** Aligns two lists: common items stay; what lies between them is changed, removed or inserted. */

/** One step from one list to the other. `to` is also the index in the list at the time of the step. */
export interface AlignmentStep {
  readonly kind: "change" | "insert" | "remove";
  readonly from: number;
  readonly to: number;
}

// A table of a million cells takes a few milliseconds and 4 MB; two lists of a thousand items fit.
const cellsMax = 1_000_000;

/**
 * Returns the steps from left to right. Items are equal when their numbers are; equal items that stay have no step. Lists whose
 * differing middle is too large for a table are compared by index, so the work never grows with the product of their lengths.
 */
export function alignLists(from: readonly number[], to: readonly number[]): AlignmentStep[] {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  const kept = keptPairs(from, to, { start, fromEnd: from.length - end, toEnd: to.length - end });
  const steps: AlignmentStep[] = [];
  let left = start;
  let right = start;
  for (const [fromKept, toKept] of [...kept, [from.length - end, to.length - end] as const]) {
    while (left < fromKept && right < toKept) steps.push({ kind: "change", from: left++, to: right++ });
    while (left < fromKept) steps.push({ kind: "remove", from: left++, to: right });
    while (right < toKept) steps.push({ kind: "insert", from: left, to: right++ });
    left++;
    right++;
  }
  return steps;
}

interface Middle {
  readonly start: number;
  readonly fromEnd: number;
  readonly toEnd: number;
}

// Returns the longest common subsequence of the middle parts, as pairs of indexes.
function keptPairs(from: readonly number[], to: readonly number[], { start, fromEnd, toEnd }: Middle): (readonly [number, number])[] {
  const rows = fromEnd - start;
  const columns = toEnd - start;
  if (rows === 0 || columns === 0) return [];
  const pairs: (readonly [number, number])[] = [];
  if (rows * columns > cellsMax) {
    for (let index = start; index < Math.min(fromEnd, toEnd); index++) if (from[index] === to[index]) pairs.push([index, index]);
    return pairs;
  }
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      lengths[row * width + column] =
        from[start + row] === to[start + column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (from[start + row] === to[start + column]) pairs.push([start + row++, start + column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}
