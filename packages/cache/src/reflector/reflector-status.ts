/** Status of a reflector, for people, probes and dashboards. All times are wall clock time, milliseconds since 1970. */
import type { PoisonReport } from "../source/version-source.ts";

/** Status of a reflector. A copy: it does not change later. */
export interface ReflectorStatus {
  /**
   * - `empty` not started; `listing` fetching the whole state; `watching` following changes
   * - `backing-off` waiting to retry after a failure; `stopped` its signal aborted
   */
  readonly phase: "empty" | "listing" | "watching" | "backing-off" | "stopped";
  /** When the phase started; undefined while `empty`. */
  readonly sinceMs: number | undefined;
  /** When it retries; only while `backing-off`. */
  readonly untilMs: number | undefined;
  readonly hasSynced: boolean;
  /** Resource version up to which the state is complete; "" before the first list. */
  readonly lastSyncResourceVersion: string;
  /** Number of times the history of the server started again. */
  readonly epoch: number;
  /** Milliseconds since the last list, event or bookmark; undefined before the first. */
  readonly lagMs: number | undefined;
  /** The last failure, even if it is over; see `hasFailed`. */
  readonly lastError: { readonly error: unknown; readonly atMs: number } | undefined;
  /** Whether the last list or watch failed and nothing has arrived since. */
  readonly hasFailed: boolean;
  readonly lists: number;
  readonly watches: number;
  readonly events: number;
  /** Number of events and lists dropped because they were older than the state. */
  readonly refused: number;
  /** The last 16 objects that could not be decoded. */
  readonly poison: readonly PoisonReport[];
  readonly poisonCount: number;
}
