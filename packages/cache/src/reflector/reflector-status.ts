/** What a reflector is doing, for people, probes and dashboards. All times are wall time, milliseconds since 1970. */
import type { PoisonReport } from "../source/version-source.ts";

export interface ReflectorStatus {
  /**
   * - `empty` not run yet; `listing` fetching the whole state; `watching` following changes
   * - `backing-off` waiting before the next attempt, after a failure; `stopped` its signal was aborted
   */
  readonly phase: "empty" | "listing" | "watching" | "backing-off" | "stopped";
  /** Since when it is in this phase; undefined while it is empty. */
  readonly sinceMs: number | undefined;
  /** When it will try again; only while backing off. */
  readonly untilMs: number | undefined;
  readonly hasSynced: boolean;
  /** Nothing up to here was missed; "" before the first list. */
  readonly lastSyncResourceVersion: string;
  /** How often the server's history has begun anew. */
  readonly epoch: number;
  /** How long ago the server last said anything that counts: a list, an event, a bookmark. Undefined before it did. */
  readonly lagMs: number | undefined;
  /** The last failure, also one that is long over; a watch that works again has `hasFailed` false. */
  readonly lastError: { readonly error: unknown; readonly atMs: number } | undefined;
  /** Whether the last list or watch failed and nothing has come since. */
  readonly hasFailed: boolean;
  readonly lists: number;
  readonly watches: number;
  readonly events: number;
  /** Events and lists that were older than what was there. */
  readonly refused: number;
  /** Objects that could not be read, the last 16 of them. */
  readonly poison: readonly PoisonReport[];
  readonly poisonCount: number;
}
