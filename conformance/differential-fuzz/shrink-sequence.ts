/** Finds a shorter sequence that still shows what a longer one showed. */

/**
 * Leaves out as much as it can: halves first, then quarters, at last single items, again and again until nothing more
 * can go.
 *
 * @param shows - whether a sequence still shows it; asked one at a time
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
