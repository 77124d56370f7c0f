/**
 * How a harness waits for its operator.
 *
 *     virtual-pace.ts: the clock is turned by hand      live-pace.ts: a real cluster, real time
 */
import type { OperatorLife } from "./operator-life.ts";

/** `current` is the life there is now: a crash may end one and begin the next while it is being waited for. */
export interface Pace {
  /** Resolves when the operator has started: every cache is there, every controller works. */
  started(current: () => OperatorLife): Promise<void>;
  /** Resolves when the operator is at rest. Rejects with a `NotSettledError`. */
  settle(current: () => OperatorLife): Promise<void>;
  /** Moves time on. */
  advance(current: () => OperatorLife, byMs: number): Promise<void>;
  /** Resolves when a life that was told to end has. */
  ended(life: OperatorLife): Promise<void>;
}
