/** client-go's ParallelizeUntil: many pieces of work, a few at a time. */

export interface ParallelizeOptions {
  /** Stops handing out pieces; those under way are waited for. @default never */
  readonly signal?: AbortSignal;
  /** How many pieces one worker takes at a time. @default 1 */
  readonly chunkSize?: number;
}

/**
 * Calls `doWorkPiece` once for each number from 0 to `pieces` − 1, with at most `workers` of them under way at any time.
 *
 * Resolves when all are done, or, once the signal is aborted, when those under way are: as in client-go, that is not a failure, so look
 * at the signal. When a piece throws, no more chunks are handed out, and the promise rejects with the first error once the others are done.
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
  // oxlint-disable-next-line typescript/only-throw-error -- what a piece threw is passed on as it is
  if (failures.length > 0) throw failures[0];
}
