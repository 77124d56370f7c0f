/** Types of the queue's API: options of an add, the work that a worker receives, and reports on keys. */

/** Options of an add. */
export interface AddOptions<C> {
  /** Higher priorities run first. A pending key has the highest priority of all its adds. @default 0 */
  readonly priority?: number;
  /** Milliseconds until the key is ready; of several delays the earliest counts. Zero or less means now. @default now */
  readonly afterMs?: number;
  /**
   * Whether this add is a retry of a failed run: the key waits for the rate limiter's delay (or `afterMs`, if shorter), and the
   * retry counts against `maxAttempts`. @default false: an event, which is not counted
   */
  readonly rateLimited?: boolean;
  /** Reason for the add; passed to the worker with the key. @default no cause */
  readonly cause?: C;
  /** Returns the cause of a retry from its attempt number, which only the queue knows; replaces `cause` of a retry. @default `cause` */
  readonly retryCause?: (attempt: number) => C;
  /**
   * Why the run failed, for reports on retried and parked keys. The queue keeps the first 1,024 characters.
   * @default no reason
   */
  readonly reason?: string;
}

/** Options of `Queue.get`. */
export interface GetOptions {
  /** Stops waiting when aborted; the promise then rejects with the signal's reason. @default no signal */
  readonly signal?: AbortSignal;
}

/** One run of one key, from `get` to `done`. */
export interface Work<K, C> {
  readonly key: K;
  /** Highest priority of all adds since the last run. Pass it to `addRateLimited` to keep it for the retry. */
  readonly priority: number;
  /** The first eight causes since the last run. */
  readonly causes: readonly C[];
  /** Number of all causes since the last run, including those that are not in `causes`. */
  readonly causeCount: number;
  /** Retries since the last `forget` of the key. */
  readonly attempts: number;
  /** How long the key was ready before a worker took it, in milliseconds. */
  readonly waitedMs: number;
  /** When a worker took the key, in the clock's monotonic time. */
  readonly takenAt: number;
}

/**
 * State of a key.
 * - `running`: a worker has it and has not called `done`.
 * - `ready`: a worker can take it.
 * - `waiting`: delayed, debounced or to be retried; due in `nextRunInMs`.
 * - `parked`: out of attempts; an event, `unpark` or `forget` ends this state.
 * - `idle`: no run is pending, but its retries are remembered until `forget`.
 */
export type KeyState = "running" | "ready" | "waiting" | "parked" | "idle";

/** Report on one key: an immutable copy. */
export interface KeyReport<K, C> {
  readonly key: K;
  readonly state: KeyState;
  /** State of the pending run of a running key; absent if none is pending. */
  readonly again?: "ready" | "waiting";
  /** Priority of the pending run; of the current run if none is pending. */
  readonly priority: number;
  /** Milliseconds since the key entered this state. */
  readonly ageMs: number;
  /** Milliseconds until the pending run is due; 0 if it is ready. Absent if no run is pending. */
  readonly nextRunInMs?: number;
  /** Causes of the pending run, or of the current run if none is pending: at most eight. */
  readonly causes: readonly C[];
  readonly causeCount: number;
  /** Retries since the last `forget` of the key. */
  readonly attempts: number;
  /** `reason` of the last retry. */
  readonly reason?: string;
}

/** Delays a key while it keeps being added. */
export interface Debounce {
  /** Milliseconds without another add before the key is ready. */
  readonly afterMs: number;
  /** Milliseconds after the first add at which the key is ready even if adds continue. */
  readonly maxMs: number;
}
