/** client-go's `WatchErrorHandler`: called when a list or a watch fails. */

/** The failed reflector, as a watch error handler sees it. */
export interface FailedReflector {
  lastSyncResourceVersion(): string;
}

/** Called with every failed list or watch, which is retried in any case. Its own errors are logged. */
export type WatchErrorHandler = (reflector: FailedReflector, error: unknown) => void;
