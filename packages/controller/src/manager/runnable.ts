/** What a manager runs: a controller, a server, a cluster's caches, or any function with a name. */
import type { PermissionNeed } from "../permissions/permission-need.ts";

/** Where something stands in the order of start and stop. */
export type RunnablePlace = "server" | "webhook";

/**
 * A `Controller` is one as it is. What others record into to the last, such as an `EventBroadcaster`, is best added as
 * a server: it ends after them.
 */
export interface Runnable {
  /** Stands in logs and errors; unique in its manager. */
  readonly name: string;
  /** Works until the signal is aborted, then ends and resolves. Resolving early is fine; what it rejects with ends the manager. */
  run(signal: AbortSignal): Promise<void>;
  /** Prepares for a later `run`, on a standby too, and resolves when that is done. @default there is nothing to prepare */
  warmUp?(signal: AbortSignal): Promise<void>;
  /** Resolves when it can be used; what starts after its group waits for this. Called after `run` was. @default it can be used at once */
  ready?(signal: AbortSignal): Promise<void>;
  /** Whether it runs only while the lease is held. @default true; false for a server or webhook */
  readonly needsLease?: boolean;
  /**
   * Servers start before webhooks, these before the caches, and all of them end after everything else. @default with
   * the controllers, or beside them when it needs no lease
   */
  readonly group?: RunnablePlace;
  /** What it must be allowed to do at the server, for the check before the start. @default nothing */
  readonly needs?: readonly PermissionNeed[];
  /** Whether `run` may be called again after it has ended, as a manager needs that stands again after a lost lease. @default false */
  readonly runsAgain?: boolean;
}
