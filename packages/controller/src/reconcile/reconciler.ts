/** What the author of a controller writes: one function from a key to a result. */
import type { Client } from "@drover/client";
import type { Log, ObjectKey } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import type { Result } from "./result.ts";

/** One run of one key. */
export interface ReconcileContext {
  readonly key: ObjectKey;
  /** Names this run in the log, on the tape and in causes of others; unique in the process. controller-runtime's reconcileID. */
  readonly run: string;
  /**
   * Why it runs: the first eight causes since the run before. For explanations and shortcuts; what is to be done
   * follows from the state alone.
   */
  readonly causes: readonly Cause[];
  /** How many causes there were, those that were not kept included. */
  readonly causeCount: number;
  /** How many retries there have been since the last success: 0 for a run that is none. */
  readonly attempts: number;
  readonly priority: number;
  /**
   * Aborted when the run must end: its deadline passed (a `DeadlineError`), the lease was lost (a `FencedError`), or
   * the grace period of the
   * shutdown is over. Hand it to whatever waits; calls of `client` have it already.
   */
  readonly signal: AbortSignal;
  /** Aborted when the controller is asked to end: a long run may come to a good stop; a short one need not care. */
  readonly draining: AbortSignal;
  /** The cluster's client, for this run: its calls stand on the tape, end with `signal`, and are refused once the run is over. */
  readonly client: Client;
  /** Adds controller, key and run to every line. */
  readonly log: Log;
}

/**
 * Brings what a key stands for to the state it should have. Level-based: it looks at the whole state, whatever the causes say.
 *
 * What it throws is a retry. A promise that never settles keeps only its key waiting, until the deadline.
 */
export type Reconciler = (context: ReconcileContext) => Result | Promise<Result>;
