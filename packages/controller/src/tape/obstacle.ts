/** What keeps an object from being reconciled, in words and as data. */

/** Kinds of obstacles. */
export type ObstacleReason =
  | "Starting"
  | "Stopping"
  | "NotLeader"
  | "OtherShard"
  | "CacheNotSynced"
  | "CacheFailing"
  | "NotReconciled"
  | "NotFound"
  | "Paused"
  | "Excluded"
  | "ForeignFinalizer"
  | "Deleting"
  | "Stalled"
  | "Parked"
  | "BackingOff"
  | "Ignored"
  | "Unreadable";

/** One obstacle. */
export interface Obstacle {
  readonly reason: ObstacleReason;
  /** The state of the object, as it follows "it": "is paused". */
  readonly state: string;
  /** One sentence without a full stop, such as "the annotation drover.dev/paused is true". */
  readonly message: string;
  /** A command, or what to do. @default absent, there is nothing to do but wait */
  readonly fix?: string;
}
