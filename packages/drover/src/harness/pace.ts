/**
 * How a harness waits for its operator.
 *
 *     virtual-pace.ts: manual clock      live-pace.ts: real cluster, real time
 */
import type { OperatorLife } from "./operator-life.ts";

/** `current` returns the current life: a crash may end one and start the next during the wait. */
export interface Pace {
  /** Resolves when the operator has started: caches synced, controllers running. */
  started(current: () => OperatorLife): Promise<void>;
  /** Resolves when the operator is idle. Rejects with `NotSettledError`. */
  settle(current: () => OperatorLife): Promise<void>;
  /** Advances time. */
  advance(current: () => OperatorLife, byMs: number): Promise<void>;
  /** Resolves when a stopped life has ended. */
  ended(life: OperatorLife): Promise<void>;
}
