/**
 * Maps items with limited concurrency.
 */

/**
 * Calls `work` for every item in order, at most `limit` at once, and resolves when all are done. Rejects with the first
 * failure after the running calls have ended, without starting more.
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
  // oxlint-disable-next-line typescript/only-throw-error -- rethrows what the work rejected with
  if (failures.length > 0) throw failures[0];
  return results;
}
