/** Who is called when a list or a watch fails: client-go's `WatchErrorHandler`. */

/** What a watch error handler knows of the reflector that failed. */
export interface FailedReflector {
  lastSyncResourceVersion(): string;
}

/** Is called with every failure of a list or a watch, which is retried in any case. What it throws is logged. */
export type WatchErrorHandler = (reflector: FailedReflector, error: unknown) => void;
