/**
 * What follows from how a run ended: for the queue, the counters, the log and the tape.
 *
 *     RunOutcome → Settlement.settle → forget, addAfter or addRateLimited → done
 */
import { AssertionError, formatDuration, isConflict } from "@drover/machinery";
import type { Log, ObjectKey } from "@drover/machinery";
import type { Queue } from "@drover/workqueue";
import type { AfterCause, Cause, RetryCause } from "../causes/cause.ts";
import type { ResultRecord } from "../tape/run-record.ts";
import { BadResultError } from "./bad-result-error.ts";
import { errorMessage } from "./error-message.ts";
import type { ReconcileMetrics } from "./reconcile-metrics.ts";
import type { ReconcileRun, RunOutcome } from "./reconcile-run.ts";
import type { After, Stop } from "./result.ts";

export interface SettlementOptions {
  readonly queue: Queue<ObjectKey, Cause>;
  readonly metrics: ReconcileMetrics;
  readonly log: Log;
}

interface Failure {
  readonly error: unknown;
  /** Of the next attempt. */
  readonly priority: number;
  /** Set when the run was given up at its deadline. */
  readonly isDeadline: boolean;
}

/** Guarantees: the key of every run is done exactly once, and what the run asked for is in the queue before that. */
export class Settlement {
  readonly #options: SettlementOptions;

  /** Keys that were parked and have not run since; some may be ready again. */
  readonly #parked = new Set<ObjectKey>();

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  /** A key runs again. */
  began(key: ObjectKey): void {
    if (this.#parked.size > 0) this.#parked.delete(key);
  }

  parkedCount(): number {
    let count = 0;
    for (const key of this.#parked) if (this.#options.queue.inspect(key)?.state === "parked") count++;
    return count;
  }

  settle(run: ReconcileRun, outcome: RunOutcome, tookMs: number): void {
    this.#options.metrics.seconds.observe(tookMs / 1000);
    const record = this.#settled(run, outcome, tookMs);
    run.tape?.end(record);
  }

  #settled(run: ReconcileRun, outcome: RunOutcome, tookMs: number): ResultRecord {
    const { priority } = run.work;
    // Told to end, it ended: neither a failure nor a reason to try again, since the controller is ending.
    if (run.isAborted && isFailure(outcome)) return this.#abandoned(run, run.signal.reason);
    if (outcome.type === "abandoned") return this.#abandoned(run, outcome.reason);
    if (outcome.type !== "result") return this.#failed(run, { error: outcome.error, priority, isDeadline: outcome.type === "deadline" });
    const { result } = outcome;
    if (result.type === "done") return this.#done(run, tookMs);
    if (result.type === "after") return this.#after(run, result, tookMs);
    if (result.type === "stop") return this.#stopped(run, result);
    return this.#failed(run, { error: result.error, priority: result.priority ?? priority, isDeadline: false });
  }

  #done({ key, run }: ReconcileRun, tookMs: number): ResultRecord {
    const { queue, metrics, log } = this.#options;
    metrics.results.success.add();
    queue.forget(key);
    queue.done(key);
    log.debug("reconciled", { key, run, tookMs });
    return doneRecord;
  }

  #after({ key, run, work }: ReconcileRun, { afterMs, priority = work.priority }: After, tookMs: number): ResultRecord {
    const { queue, metrics, log } = this.#options;
    metrics.results.requeue_after.add();
    queue.forget(key);
    const cause: AfterCause = { type: "after", afterMs, run };
    queue.addAfter(key, afterMs, { priority, cause });
    queue.done(key);
    log.debug("reconciled, to be looked at again", { key, run, tookMs, afterMs });
    return { type: "after", afterMs };
  }

  #stopped({ key, run }: ReconcileRun, { reason }: Stop): ResultRecord {
    const { queue, metrics, log } = this.#options;
    metrics.results.error.add();
    metrics.errors.add();
    metrics.terminal.add();
    // controller-runtime leaves the failures standing, so that the next one waits for longer than it should.
    queue.forget(key);
    queue.done(key);
    log.error("reconcile stopped: not tried again until something happens to the key", { key, run, reason });
    return { type: "stop", reason };
  }

  #abandoned({ key, run }: ReconcileRun, reason: unknown): ResultRecord {
    const { queue, log } = this.#options;
    queue.done(key);
    log.debug("a reconcile was given up, since the controller is ending", { key, run, reason });
    return { type: "abandoned", reason: errorMessage(reason) };
  }

  #failed(run: ReconcileRun, failure: Failure): ResultRecord {
    const { queue } = this.#options;
    const { key } = run;
    const error = errorMessage(failure.error);
    const isQuiet = isConflict(failure.error);
    const cause: { -readonly [Field in keyof RetryCause]: RetryCause[Field] } = {
      type: "retry",
      attempt: run.work.attempts + 1,
      error,
      run: run.run,
      isConflict: isQuiet,
    };
    this.#addRetry(key, { priority: failure.priority, cause, reason: error });
    // Only the queue knows whether this was the retry or a run before its time, which is none.
    cause.attempt = queue.numRequeues(key);
    queue.done(key);
    const report = queue.inspect(key);
    const isParked = report?.state === "parked";
    if (isParked) this.#parked.add(key);
    this.#count(failure, isQuiet);
    this.#tell(run, failure, { isQuiet, isParked, retryInMs: report?.nextRunInMs });
    if (failure.isDeadline) return { type: "abandoned", reason: error };
    return {
      type: "retry",
      error,
      isConflict: isQuiet,
      ...(isParked ? { parked: true } : report?.nextRunInMs === undefined ? {} : { retryInMs: report.nextRunInMs }),
    };
  }

  #addRetry(key: ObjectKey, retry: { readonly priority: number; readonly cause: RetryCause; readonly reason: string }): void {
    const { queue, log } = this.#options;
    try {
      queue.addRateLimited(key, retry);
    } catch (error) {
      // A limiter of somebody's own: a key must not be lost with it.
      log.error("the rate limiter failed; the key is tried again in a second", { key, error });
      queue.addAfter(key, 1000, { priority: retry.priority, cause: retry.cause });
    }
  }

  #count({ error, isDeadline }: Failure, isQuiet: boolean): void {
    const { metrics } = this.#options;
    if (isQuiet) {
      metrics.results.requeue.add();
      metrics.conflicts.add();
      return;
    }
    metrics.results.error.add();
    metrics.errors.add();
    if (isDeadline) metrics.timeouts.add();
    if (error instanceof BadResultError || error instanceof AssertionError) metrics.panics.add();
  }

  #tell(
    { key, run, work: { attempts } }: ReconcileRun,
    { error }: Failure,
    { isQuiet, isParked, retryInMs }: { readonly isQuiet: boolean; readonly isParked: boolean; readonly retryInMs: number | undefined },
  ): void {
    const { log } = this.#options;
    const fields = { key, run, attempts, error };
    if (isParked)
      return log.warn("reconcile failed too often: the key is parked until something happens to it, or somebody unparks it", fields);
    const retryIn = retryInMs === undefined ? "never: the controller is ending" : formatDuration(Math.round(retryInMs));
    if (isQuiet && attempts < quietConflictsMax)
      log.debug("somebody else changed an object first; the key is tried again", { ...fields, retryIn });
    else if (isQuiet)
      log.warn("a conflict that does not go away: somebody keeps changing the object, or owns a field that is to be applied", {
        ...fields,
        retryIn,
      });
    else log.error("reconcile failed", { ...fields, retryIn });
  }
}

/** One conflict after another is no chance any more: two fight over an object, or an apply claims a field of somebody else's. */
const quietConflictsMax = 5;

/** Whether the reconcile itself says that it failed. */
const isFailure = (outcome: RunOutcome): boolean =>
  outcome.type === "thrown" || (outcome.type === "result" && outcome.result.type === "retry");

const doneRecord: ResultRecord = Object.freeze({ type: "done" });
