/** Does something for each item, a few at a time. */

/**
 * Calls `work` for every item in order, never more than `limit` at once, and resolves when all are done. Rejects with the first failure,
 * after those under way have ended; the rest is not begun.
 */
export async function boundedMap<I, O>(items: readonly I[], limit: number, work: (item: I) => Promise<O>): Promise<O[]> {
  const results: O[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index] as I);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  // oxlint-disable-next-line typescript/only-throw-error -- what the work rejected with is passed on as it is
  if (failures.length > 0) throw failures[0];
  return results;
}
