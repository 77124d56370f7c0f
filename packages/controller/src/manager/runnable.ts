/** What a manager runs: a controller, a server, the caches of a cluster, or any named function. */
import type { PermissionNeed } from "../permissions/permission-need.ts";

/** Position in the order of start and stop, apart from the default. */
export type RunnablePlace = "server";

/**
 * A runnable of a manager. Every `Controller` is one. Add as a server whatever others use until they end, such as an `EventBroadcaster`:
 * servers end last.
 */
export interface Runnable {
  /** Name in logs and errors; unique within a manager. */
  readonly name: string;
  /** Works until the signal aborts, then ends and resolves. May resolve early; a rejection ends the manager. */
  run(signal: AbortSignal): Promise<void>;
  /** Prepares for a later `run`, also on replicas without the lease, and resolves when done. @default nothing to prepare */
  warmUp?(signal: AbortSignal): Promise<void>;
  /** Resolves when the runnable can be used; later groups wait for it. Called after `run`. @default usable immediately */
  ready?(signal: AbortSignal): Promise<void>;
  /** Whether it runs only while the lease is held. @default true; false for a server */
  readonly needsLease?: boolean;
  /** "server" starts before the caches and ends after everything else. @default with the controllers, or before them without the lease */
  readonly group?: RunnablePlace;
  /** Permissions it needs, for the check before the start. @default none */
  readonly needs?: readonly PermissionNeed[];
  /** Whether `run` may be called again after it has ended; required by `onLostLease: "standAgain"`. @default false */
  readonly runsAgain?: boolean;
  /**
   * Whether it also runs in every thread of a program with threads, beside the controllers; it must not need the lease. Others run only in
   * the main thread. @default false
   */
  readonly inThreads?: boolean;
}
