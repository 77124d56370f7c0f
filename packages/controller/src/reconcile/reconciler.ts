/** The function that the author of a controller writes: from a key to a result. */
import type { Client } from "@drover/client";
import type { Log, ObjectKey } from "@drover/machinery";
import type { Cause } from "../causes/cause.ts";
import type { Result } from "./result.ts";

/** One run of one key. */
export interface ReconcileContext {
  readonly key: ObjectKey;
  /** Id of this run in the log, on the tape and in causes; unique in the process. controller-runtime's reconcileID. */
  readonly run: string;
  /**
   * Why it runs: the first eight causes since the previous run. Use them for explanations and shortcuts only; what to do must follow from
   * the state alone.
   */
  readonly causes: readonly Cause[];
  /** Number of causes, including those not kept. */
  readonly causeCount: number;
  /** Number of retries since the last success; 0 if this run is not a retry. */
  readonly attempts: number;
  readonly priority: number;
  /**
   * Aborts when the run must end: its deadline has passed (a `DeadlineError`), the lease was lost (a `FencedError`), or the grace period of
   * the shutdown is over. Pass it to everything that waits; calls of `client` already use it.
   */
  readonly signal: AbortSignal;
  /** Aborts when the controller starts to stop, so that a long run can stop at a good point; short runs can ignore it. */
  readonly draining: AbortSignal;
  /** Client of the cluster for this run: its calls are recorded on the tape, end with `signal`, and fail after the run has ended. */
  readonly client: Client;
  /** Adds controller, key and run to every line. */
  readonly log: Log;
}

/**
 * Brings the object of a key to its desired state. Level-based: it reads the whole state and does not rely on the causes.
 *
 * A thrown error is a retry. A promise that never settles blocks only its own key, until the deadline.
 */
export type Reconciler = (context: ReconcileContext) => Result | Promise<Result>;
