/** client-go's ParallelizeUntil: many pieces of work, a few at a time. */

/** Options of `parallelizeUntil`. */
export interface ParallelizeOptions {
  /** Stops starting pieces; running pieces finish. @default no signal */
  readonly signal?: AbortSignal;
  /** Number of pieces that a worker takes at once. @default 1 */
  readonly chunkSize?: number;
}

/**
 * Calls `doWorkPiece` once for each number from 0 to `pieces` − 1, at most `workers` at the same time.
 *
 * Resolves when all pieces are done or, after an abort, when the running ones are: as in client-go an abort is not an error, so check the
 * signal. If a piece throws, no further chunk starts, and the promise rejects with the first error when the running pieces are done.
 */
export async function parallelizeUntil(
  workers: number,
  pieces: number,
  doWorkPiece: (piece: number) => Promise<void> | void,
  options: ParallelizeOptions = {},
): Promise<void> {
  const { signal, chunkSize = 1 } = options;
  if (!(workers >= 1) || !(chunkSize >= 1))
    throw new RangeError(`parallelizeUntil: workers and chunkSize must be at least 1, not ${workers} and ${chunkSize}`);
  const chunk = Math.floor(chunkSize);
  const failures: unknown[] = [];
  let next = 0;
  const goesOn = (): boolean => next < pieces && signal?.aborted !== true && failures.length === 0;
  const worker = async (): Promise<void> => {
    while (goesOn()) {
      const start = next;
      next += chunk;
      for (let piece = start; piece < Math.min(start + chunk, pieces); piece++) await doWorkPiece(piece);
    }
  };
  const chunks = Math.ceil(pieces / chunk);
  await Promise.all(
    Array.from({ length: Math.max(0, Math.min(Math.floor(workers), chunks)) }, () =>
      worker().catch((error: unknown) => void failures.push(error)),
    ),
  );
  // oxlint-disable-next-line typescript/only-throw-error -- rethrows the error of a piece unchanged
  if (failures.length > 0) throw failures[0];
}
