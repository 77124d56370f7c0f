/** Finds a shorter sequence that still shows what a longer one showed. */

/**
 * Removes as much as possible: halves first, then quarters, finally single items, until nothing more can be removed.
 *
 * @param shows - whether a sequence still shows the difference; called one at a time
 */
export async function shrinkSequence<T>(items: readonly T[], shows: (items: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let best = items;
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < best.length;) {
      const shorter = [...best.slice(0, start), ...best.slice(start + size)];
      if (shorter.length > 0 && (await shows(shorter))) best = shorter;
      else start += size;
    }
  }
  return best;
}
