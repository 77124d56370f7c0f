/** The words a queue speaks in: what is handed in beside a key, what a worker gets, and what can be seen from outside. */

/** What is handed in beside a key. */
export interface AddOptions<C> {
  /** Higher goes first. While a key waits to run, its priority is the highest it was added with. @default 0 */
  readonly priority?: number;
  /** Milliseconds until the key is ready. Of several the earliest counts; zero or less means now. @default now */
  readonly afterMs?: number;
  /**
   * Whether this is a retry of a run that failed: the key waits as long as the rate limiter says (or `afterMs`, if that is less), and
   * the retry counts against `maxAttempts`. @default false: something happened, and nothing is counted
   */
  readonly rateLimited?: boolean;
  /** Why; handed to the worker with the key. @default none */
  readonly cause?: C;
  /** Returns the cause of a retry from its attempt number, which only the queue knows. Replaces `cause` if `rateLimited`. @default none */
  readonly retryCause?: (attempt: number) => C;
  /**
   * What went wrong, in words, for those who look at keys that are retried or parked; the first 1,024 characters are
   * kept. @default none
   */
  readonly reason?: string;
}

/** How a worker waits for a key. */
export interface GetOptions {
  /** Gives up waiting; the promise then rejects with the signal's reason. @default never */
  readonly signal?: AbortSignal;
}

/** One run of one key, from `get` to `done`. */
export interface Work<K, C> {
  readonly key: K;
  /** The highest priority it was added with. Hand it in again with a retry that should keep it. */
  readonly priority: number;
  /** Why it runs: the first eight causes since the run before. */
  readonly causes: readonly C[];
  /** How many causes there were, those that were not kept included. */
  readonly causeCount: number;
  /** How many retries there have been since the key was last forgotten. */
  readonly attempts: number;
  /** How long it had been ready, in milliseconds. */
  readonly waitedMs: number;
  /** When it was handed out, on the clock's monotonic time. */
  readonly takenAt: number;
}

/**
 * Where a key stands.
 * - `running`: handed out and not done.
 * - `ready`: the next free worker takes it, or one soon after.
 * - `waiting`: its time has not come; see `nextRunInMs`.
 * - `parked`: retried too often; waits for something to happen to it.
 * - `idle`: nothing to do, but its retries are remembered until it is forgotten.
 */
export type KeyState = "running" | "ready" | "waiting" | "parked" | "idle";

/** One key as it can be seen from outside. A copy: nothing in it changes later. */
export interface KeyReport<K, C> {
  readonly key: K;
  readonly state: KeyState;
  /** For a running key that will run once more: whether that run is ready or its time has not come. */
  readonly again?: "ready" | "waiting";
  /** Of the run to come; of the run under way when none is to come. */
  readonly priority: number;
  /** Milliseconds it has been in this state. */
  readonly ageMs: number;
  /** Milliseconds until the next run may begin: 0 when it is ready. Absent when none is to come. */
  readonly nextRunInMs?: number;
  /** Why it is to run, or runs: at most eight. */
  readonly causes: readonly C[];
  readonly causeCount: number;
  /** Retries since the key was last forgotten. */
  readonly attempts: number;
  /** What the last failure was, if somebody said. */
  readonly reason?: string;
}

/** How to wait until a key that keeps changing has come to rest. */
export interface Debounce {
  /** Milliseconds without another add before the key is ready. */
  readonly afterMs: number;
  /** Milliseconds after the first add at which it is ready however often it is still added. */
  readonly maxMs: number;
}
